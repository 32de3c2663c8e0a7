const paths = {
  down: <path d="M4 6l4 4 4-4" />,
  undo: <path d="M6 4 3 7l3 3M3 7h6.5a3 3 0 0 1 0 6H7" />,
  redo: <path d="m10 4 3 3-3 3M13 7H6.5a3 3 0 0 0 0 6H9" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </>
  ),
  share: <path d="M8 10V2.5M5 5l3-3 3 3M3.5 8v5.5h9V8" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />,
  knobs: <path d="M2.5 5h6m3 0h2M2.5 11h2m3 0h6M10 3.5v3M6 9.5v3" />,
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {paths[name]}
    </svg>
  );
}
