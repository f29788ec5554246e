import { isIP } from 'node:net';
import { within } from '../within.ts';
import { isAllowedAddress, type Network } from './address-policy.ts';
import type { Resolve } from './resolve-host.ts';

export type CheckedUrl = { ok: true; url: URL } | { ok: false; reason: string };
export type CheckedAddresses = { ok: true; addresses: string[] } | { ok: false; error: string };

export const ADDRESS_NOT_ALLOWED = 'address not allowed';

const MAX_URL_CHARACTERS = 2048;
const MAX_NAME_CHARACTERS = 253;
const REGISTRATION_LOOKUP_MS = 2000;

// Control, format, surrogate and unassigned characters, every kind of space, and the backslash that URL parsers read
// as a slash. The parser would drop or rewrite them, so what was reviewed would not be what is called.
const TRICK_CHARACTERS = /[\p{C}\p{Z}\\]/u;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s[\]:@%]+)(?::([0-9]{1,5}))?$/i;
const IDEOGRAPHIC_DOTS = /[\u3002\uff0e\uff61]/;
const NAME_LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

// Suffixes that public DNS will never delegate and that private networks use. `.example`, `.test` and `.invalid` stay
// usable: nothing answers there unless somebody runs a resolver for it, and then the answers are checked.
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'home.arpa',
  'onion',
];

/** Judges a target by its text alone, without a lookup. The URL handed back is normalised and has no fragment. */
export function checkTargetUrl(
  input: string,
  allowed: readonly Network[],
  maxCharacters = MAX_URL_CHARACTERS,
): CheckedUrl {
  const authority = findAuthority(input, maxCharacters);
  if (!authority.ok) return authority;
  const { host, port } = authority;

  const url = URL.parse(input);
  if (url === null) return refuse('must be a valid URL');
  if (url.protocol !== 'https:') return refuse('must use https');
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials');
  if (port !== undefined && Number(port) === 0) return refuse('must not use port 0');
  url.hash = '';
  if (url.href.length > maxCharacters) return refuse(`must not be longer than ${maxCharacters} characters`);

  const literal = findIpLiteral(url.hostname);
  if (!isPlainlyWritten(host, url.hostname)) return refuse('must spell its host in the usual form');
  if (literal === undefined) {
    const fault = findNameFault(url.hostname);
    return fault === undefined ? { ok: true, url } : refuse(fault);
  }
  if (!isAllowedAddress(literal, allowed)) return refuse('must not point to a private, loopback or reserved address');
  return { ok: true, url };
}

/** The address inside an URL's hostname, brackets removed, when it is one. */
export function findIpLiteral(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Every address behind the host, or none: one answer that is not allowed condemns the whole set, because a name that
 * mixes public and private answers is built to slip through.
 */
export async function resolveTarget(
  hostname: string,
  allowed: readonly Network[],
  resolve: Resolve,
): Promise<CheckedAddresses> {
  const literal = findIpLiteral(hostname);
  if (literal !== undefined) return checkAddresses([literal], allowed);
  let answers: string[];
  try {
    answers = await resolve(hostname);
  } catch (error) {
    return { ok: false, error: `dns: ${lookupFault(error)}` };
  }
  return checkAddresses(answers, allowed);
}

/**
 * The check at registration. A name that has no answer yet is accepted, since every attempt is checked again; a name
 * that already answers with a forbidden address is refused on the spot.
 */
export async function checkRegistration(
  input: string,
  allowed: readonly Network[],
  resolve: Resolve,
  lookupMs = REGISTRATION_LOOKUP_MS,
): Promise<CheckedUrl> {
  const checked = checkTargetUrl(input, allowed);
  if (!checked.ok) return checked;
  const answer = await within(lookupMs, resolveTarget(checked.url.hostname, allowed, resolve));
  return answer !== undefined && !answer.ok && answer.error === ADDRESS_NOT_ALLOWED
    ? refuse('must not resolve to a private, loopback or reserved address')
    : checked;
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

// Reads the host as it was typed. The URL parser forgives https:host, https:/host, user@host and more, and would hide
// what was written.
function findAuthority(
  input: string,
  maxCharacters: number,
): { ok: true; host: string; port: string | undefined } | { ok: false; reason: string } {
  if (input.length > maxCharacters) return refuse(`must not be longer than ${maxCharacters} characters`);
  if (TRICK_CHARACTERS.test(input)) return refuse('must not contain spaces, backslashes or control characters');
  const afterScheme = /^https:\/\/(?=[^/])(.*)$/is.exec(input)?.[1];
  if (afterScheme === undefined) return refuse('must start with https:// and a host');
  const authority = afterScheme.split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) return refuse('must not carry credentials');
  const parts = AUTHORITY.exec(authority);
  return parts?.[1] === undefined
    ? refuse('must name a plain host and port')
    : { ok: true, host: parts[1].toLowerCase(), port: parts[2] };
}

// IPv4 in decimal, hex, octal or short form, and fullwidth or circled look-alikes, all normalise into something else.
// Nobody needs them, so a host that changes on the way through the parser is refused even when the result is public.
// International names must change (into punycode), and IPv6 may be abbreviated in several honest ways.
function isPlainlyWritten(typed: string, normalised: string): boolean {
  if (typed.startsWith('[')) return true;
  if (/^[\x20-\x7e]*$/.test(typed)) return typed === normalised;
  return (
    !IDEOGRAPHIC_DOTS.test(typed) && typed.normalize('NFKC') === typed.normalize('NFC') && /(^|\.)xn--/.test(normalised)
  );
}

function findNameFault(hostname: string): string | undefined {
  if (hostname.endsWith('.')) return 'must not end its host with a dot';
  const labels = hostname.split('.');
  if (hostname.length > MAX_NAME_CHARACTERS || !labels.every((label) => NAME_LABEL.test(label))) {
    return 'must name a valid host';
  }
  if (labels.length === 1 || INTERNAL_SUFFIXES.some((suffix) => `.${hostname}`.endsWith(`.${suffix}`))) {
    return 'must not name an internal host';
  }
  return undefined;
}

function checkAddresses(answers: readonly string[], allowed: readonly Network[]): CheckedAddresses {
  if (answers.length === 0) return { ok: false, error: 'dns: not found' };
  return answers.every((ip) => isAllowedAddress(ip, allowed))
    ? { ok: true, addresses: [...new Set(answers)] }
    : { ok: false, error: ADDRESS_NOT_ALLOWED };
}

const LOOKUP_FAULTS = new Map([
  ['ENOTFOUND', 'not found'],
  ['ENODATA', 'not found'],
  ['ETIMEOUT', 'timeout'],
  ['ESERVFAIL', 'server failure'],
  ['EAI_AGAIN', 'server failure'],
  ['EREFUSED', 'refused'],
  ['ECONNREFUSED', 'no resolver'],
  ['EBADNAME', 'bad name'],
]);

function lookupFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return LOOKUP_FAULTS.get(code) ?? 'lookup failed';
}
