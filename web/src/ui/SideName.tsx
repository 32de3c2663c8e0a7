/**
 * Where there is no room a name is cut before its number, which is what A and B differ in; a host or an instance that
 * they have in common stands behind it.
 */
export function SideName({ text }: { readonly text: string }) {
  const number = /(?<! [io]n \w+)\s\S*\d\S*( [io]n \w+ \d+)?$/.exec(text)?.[0] ?? "";
  return (
    <span className="side-name">
      <span>{text.slice(0, text.length - number.length)}</span>
      {number}
    </span>
  );
}
