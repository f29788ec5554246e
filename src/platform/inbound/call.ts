/** A call that came to us from a system we do not control, as it came: nothing of it is read before it is proven. */
export type InboundCall = {
  method: string;
  /** What stands behind the address we gave out, without a slash at either end: `remoteId/12/posOrderStatus`. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Names in lower case; of a header that came more than once, the values joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};
