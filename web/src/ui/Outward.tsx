import type { ReactNode } from "react";

/** A link to another site, in a tab of its own, which hears nothing of this one. */
export function Outward({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
