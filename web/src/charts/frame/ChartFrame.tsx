import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Rows } from "../../ui/download";
import { Icon } from "../../ui/Icon";
import { MenuButton } from "../../ui/MenuButton";
import { RowsTable } from "./RowsTable";

export interface ChartFrameProps {
  readonly title: string;
  readonly fileName: string;
  readonly height: number;
  readonly isFaded: boolean;
  readonly rows: () => Rows;
  readonly head?: ReactNode;
  /** The drawing as SVG text, where it is no SVG on the page. */
  readonly drawing?: () => string | null;
  readonly children: ReactNode;
}

/** Title, drawing or table, and the ways to take it along. T turns the drawing into a table and back. */
export function ChartFrame({ title, fileName, height, isFaded, rows, head, drawing, children }: ChartFrameProps) {
  const [isTable, setTable] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const wasTable = useRef(isTable);
  useEffect(() => {
    if (wasTable.current === isTable) return;
    wasTable.current = isTable;
    body.current?.querySelector<HTMLElement>(".rows, .reader")?.focus();
  }, [isTable]);
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === "text";
    if (event.key.toLowerCase() !== "t" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setTable((was) => !was);
  };
  const onChoose = (id: string) => {
    if (id === "table") return setTable((was) => !was);
    const plot = body.current?.querySelector<SVGSVGElement>("svg.plot") ?? null;
    // Few save anything: what that takes is loaded when somebody does.
    void import("../../ui/download").then(({ save }) => save(id, { title, fileName, rows, drawing, plot }));
  };
  const choose = useRef(onChoose);
  choose.current = onChoose;
  const more = useMemo(
    () => <More title={title} isTable={isTable} onChoose={(id) => choose.current(id)} />, [title, isTable],
  );
  return (
    <section className="chart" aria-label={title} onKeyDown={onKeyDown}>
      <div className="chart-head">
        <h2>{title}</h2>
        {head}
        {more}
      </div>
      <div ref={body} className="chart-body" data-faded={isFaded || undefined} style={{ minHeight: height }}>
        {isTable ? <RowsTable title={title} rows={rows()} height={height} /> : children}
      </div>
    </section>
  );
}

function More({
  title, isTable, onChoose,
}: {
  readonly title: string;
  readonly isTable: boolean;
  readonly onChoose: (id: string) => void;
}) {
  const choices = [
    {
      id: "table", label: isTable ? "Show the drawing" : "Show as a table", detail: "T, while the chart has the focus",
    },
    ...(isTable
      ? []
      : [
          { id: "svg", label: "Save as SVG" }, { id: "png", label: "Save as PNG" },
        ]),
    { id: "csv", label: "Save as CSV" },
  ];
  return (
    <MenuButton
      label={`More of: ${title}`} className="chart-more" groups={[{ title: "This chart", choices }]} onChoose={onChoose}
    >
      <Icon name="more" />
    </MenuButton>
  );
}
