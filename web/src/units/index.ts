export * from "./brands";
export * from "./format";
