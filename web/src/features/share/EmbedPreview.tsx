import { useEffect, useRef, useState } from "react";

/** A change of the choices waits so long for the next: each begins the frame anew. */
const REST_MS = 600;

/** The last value that has stood for a while. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** To read: no more digits than there are to know. */
const short = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(6)) : value;

/** The frame as it will be, and what it says to the page that holds it: here, to this one. */
export function EmbedPreview({ address, height }: { readonly address: string; readonly height: number }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = useRested(address);
  const [said, setSaid] = useState<readonly { readonly type: string; readonly text: string }[]>([]);
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return;
      const type = String((data as { type?: unknown }).type);
      const text = JSON.stringify(data, short, 1).replace(/\n\s*/g, " ");
      setSaid((was) => (type === "ready" ? [{ type, text }] : [...was.slice(-7), { type, text }]));
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);
  return (
    <div className="embed-preview">
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which needs its origin for workers */}
      <iframe ref={frame} key={shown} src={shown} title="Preview of the frame" height={height} />
      <p className="mute">
        It said: {said.length === 0 ? "nothing yet" : said.map(({ type }) => type).join(", ")}
      </p>
      <code tabIndex={0} role="textbox" aria-readonly="true" aria-label="What the preview said last">
        {said.at(-1)?.text ?? "…"}
      </code>
    </div>
  );
}
