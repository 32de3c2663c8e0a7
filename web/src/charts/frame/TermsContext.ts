import { createContext } from "react";
import type { TermWords } from "./firstTerms";

/** Undefined until they are fetched. */
export const TermsContext = createContext<readonly TermWords[] | undefined>(undefined);
