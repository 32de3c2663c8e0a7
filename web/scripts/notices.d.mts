export interface RunTimePackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly folder: string;
}
export function npmPackages(): readonly RunTimePackage[];
export function notices(): string;
export function packageOf(module: string): string | null;
