const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

// Set by the sender itself: framing, routing and connection handling.
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

/** The headers as a flat list, or undefined when one of them is invalid or reserved. */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] | undefined {
  // Receivers must not compress: bodies are never decompressed, so that a few bytes cannot expand to gigabytes.
  const list = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || !VALUE.test(value) || !TOKEN.test(name) || RESERVED.has(name.toLowerCase()))
      return undefined;
    list.push(name, value);
  }
  return list;
}
