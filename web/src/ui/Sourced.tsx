import { createContext, useContext } from "react";
import { Outward } from "./Outward";

/** A work as texts name it, and where it is. */
export interface NamedWork {
  readonly phrase: string;
  readonly address: string;
}

/** Undefined until they are fetched. */
export const WorksContext = createContext<readonly NamedWork[] | undefined>(undefined);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Where a text is from, with links to the works that it names; of several phrases at one place the longest. */
export function Sourced({ text }: { readonly text: string }) {
  const works = useContext(WorksContext) ?? [];
  if (works.length === 0) return text;
  const phrases = works.map(({ phrase }) => phrase).sort((one, other) => other.length - one.length);
  return text.split(new RegExp(`(${phrases.map(escaped).join("|")})`)).map((part, i) => {
    const work = works.find(({ phrase }) => phrase === part);
    return work === undefined ? part : <Outward key={i} to={work.address}>{part}</Outward>;
  });
}
