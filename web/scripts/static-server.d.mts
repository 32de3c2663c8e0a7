export interface Site {
  readonly address: string;
  readonly close: () => Promise<void>;
}
export function serveFolder(options: {
  readonly folder: string;
  readonly prefix?: string;
  readonly port?: number;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}): Promise<Site>;
