import { parseCountedJson } from '../../platform/inbound/index.ts';

const MAX_CHARACTERS = 500;
// Beyond it nothing is looked at, whatever a vendor sends as a page of apologies.
const MAX_PAGE_CHARACTERS = 8192;
/** A refusal has a sentence or a list of fields. */
const MAX_MESSAGE_VALUES = 2_000;

/** What a vendor says of its refusal, as a line that can be shown, without what our calls carried. */
export function vendorMessageOf(body: Buffer, secrets: readonly string[]): string {
  const json = findJson(body);
  const text = (json === undefined ? undefined : findWords(json, 0)) ?? textOf(body);
  return [...clean(withoutSecrets(text, secrets))].slice(0, MAX_CHARACTERS).join('').trim();
}

function findJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? undefined : parseCountedJson(body, MAX_MESSAGE_VALUES).json;
  } catch {
    return undefined;
  }
}

// In the order in which vendors mean them for people: `error` alone is often a code beside the words.
const PLACES = [
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

function findWords(json: unknown, depth: number): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json;
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(json)) return findWords(json[0], depth + 1);
  const fields = json as Record<string, unknown>;
  for (const place of PLACES) {
    const words = Object.hasOwn(fields, place) ? findWords(fields[place], depth + 1) : undefined;
    if (words !== undefined) return words;
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

// Some vendors quote what they did not like.
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret.length < 4 ? rest : rest.replaceAll(secret, '•••')), text);
}
