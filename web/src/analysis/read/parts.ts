/** Which parts of the page few scenarios have. */
import type { Report } from "../../engine";

type Has = (report: Report | null) => boolean;

export const hasDatabase: Has = (report) => (report?.databases.length ?? 0) > 0;
export const hasPairs: Has = (report) => (report?.pairs.length ?? 0) > 0;
export const hasTrace: Has = (report) => (report?.statements.length ?? 0) > 0;
export const hasGroups: Has = (report) => report?.consumer_groups !== undefined;
