import { readerOf, Unreadable } from '../../platform/inbound/index.ts';
import type { AppSettings } from './settings.ts';
import type { Credentials, VendorAnswer } from './vendor.ts';

const MAX_TOKEN_CHARACTERS = 16_384;
const LONGEST_LIFE_SECONDS = 30 * 86_400;

/** The response of an OAuth server: `access_token` and, optionally, its lifetime. */
export function tokenOf(
  { json }: VendorAnswer,
  { names = ['access_token'], livesForSeconds }: { names?: readonly string[]; livesForSeconds: number },
): { token: string; livesForSeconds: number } {
  const answer = readerOf(json);
  const token = names.map((name) => answer.at(name).value).find((value) => typeof value === 'string' && value !== '');
  // It becomes a header: a line break would start another one.
  if (typeof token !== 'string' || token.length > MAX_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
    throw new Unreadable('missing', `${names[0]} is missing in the vendor's answer`, names[0]);
  }
  const { value } = answer.at('expires_in');
  const said = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return { token, livesForSeconds: said > 0 ? Math.min(said, LONGEST_LIFE_SECONDS) : livesForSeconds };
}

type TokenReader = Extract<Credentials, { kind: 'token' }>['read'];

/** The same token as a Bearer header. */
export function bearerOf(livesForSeconds: number): TokenReader {
  return (answer) => {
    const found = tokenOf(answer, { livesForSeconds });
    return { headers: { authorization: `Bearer ${found.token}` }, livesForSeconds: found.livesForSeconds };
  };
}

type TokenRequest = Extract<Credentials, { kind: 'token' }>['request'];

/** Credentials that exchange `client_id` and `client_secret` for a Bearer token. Fetching a token twice does no harm. */
export function clientCredentials(
  { client_id, client_secret }: AppSettings,
  livesForSeconds: number,
  requestOf: (clientId: string, clientSecret: string) => Pick<TokenRequest, 'path' | 'form' | 'baseUrl'>,
): Credentials {
  if (client_id === undefined) return { kind: 'missing', setting: 'client_id' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  return {
    kind: 'token',
    request: { method: 'POST', ...requestOf(client_id, client_secret), isRepeatable: true },
    read: bearerOf(livesForSeconds),
  };
}
