import { parseCountedJson } from '../../platform/inbound/index.ts';

const MAX_CHARACTERS = 500;
// The rest of a long HTML error page is not read.
const MAX_PAGE_CHARACTERS = 8192;
/** An error response holds a sentence or a list of fields. */
const MAX_MESSAGE_VALUES = 2_000;

/** The message of a vendor's error response as one printable line, without the secrets of the request. */
export function vendorMessageOf(body: Buffer, secrets: readonly string[]): string {
  const json = findJson(body);
  const text = (json === undefined ? undefined : findMessage(json, 0)) ?? textOf(body);
  return [...clean(withoutSecrets(text, secrets))].slice(0, MAX_CHARACTERS).join('').trim();
}

function findJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? undefined : parseCountedJson(body, MAX_MESSAGE_VALUES).json;
  } catch {
    return undefined;
  }
}

// Ordered by how readable they are: `error` alone is often a code beside the sentence.
const MESSAGE_FIELDS = [
  'error_description',
  'message',
  'Message',
  'detailedResponseMessage',
  'errors',
  'error',
  'detail',
  'description',
  'result',
  'title',
];
const MAX_DEPTH = 4;

function findMessage(json: unknown, depth: number): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json;
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(json)) return findMessage(json[0], depth + 1);
  const fields = json as Record<string, unknown>;
  for (const name of MESSAGE_FIELDS) {
    const message = Object.hasOwn(fields, name) ? findMessage(fields[name], depth + 1) : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

function textOf(body: Buffer): string {
  const text = body.subarray(0, MAX_PAGE_CHARACTERS).toString('utf8');
  return text.trimStart().startsWith('<') ? text.replace(/<[^<>]*>/g, ' ') : text;
}

function clean(text: string): string {
  return text
    .slice(0, MAX_PAGE_CHARACTERS)
    .replace(/[^\P{C}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

// Some vendors quote the request.
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 4 ? rest : rest.replaceAll(secret, '•••')), text);
}
