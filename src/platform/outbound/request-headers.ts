const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

// Framing, routing and connection handling belong to the sender.
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers as a flat list, or nothing when one of them could bend the request. */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] | undefined {
  // Without this a receiver may compress, and a few bytes would unfold into gigabytes; nothing here ever unpacks.
  const list = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || !TOKEN.test(name) || !VALUE.test(value) || RESERVED.has(name.toLowerCase())) {
      return undefined;
    }
    list.push(name, value);
  }
  return list;
}
