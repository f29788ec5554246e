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

// The same few names with every request: looked at once. Far fewer than could fill the set come from one program.
const soundNames = new Set<string>();
const MAX_SOUND_NAMES = 256;

function isSoundName(name: string): boolean {
  if (soundNames.has(name)) return true;
  if (!TOKEN.test(name) || RESERVED.has(name.toLowerCase())) return false;
  if (soundNames.size < MAX_SOUND_NAMES) soundNames.add(name);
  return true;
}

/** The headers as a flat list, or nothing when one of them could bend the request. */
export function toHeaderList(headers: Readonly<Record<string, string>>): string[] | undefined {
  // Without this a receiver may compress, and a few bytes would unfold into gigabytes; nothing here ever unpacks.
  const list = ['accept-encoding', 'identity'];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || !VALUE.test(value) || !isSoundName(name)) return undefined;
    list.push(name, value);
  }
  return list;
}
