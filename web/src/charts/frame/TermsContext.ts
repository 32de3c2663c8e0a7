import { createContext } from "react";
import type { TermWords } from "./firstTerms";

/** Empty until they are fetched. */
export const TermsContext = createContext<readonly TermWords[]>([]);
