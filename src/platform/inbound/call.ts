/** A call from a vendor, unparsed: nothing of it is interpreted before its signature is verified. */
export type InboundCall = {
  method: string;
  /** The path after the install's ingest URL, without leading and trailing slashes: `remoteId/12/posOrderStatus`. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case; values of a repeated header are joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};
