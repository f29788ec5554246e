import { type Problem, unauthorized } from '../../../platform/http/problem.ts';
import { isOpaque } from '../opaque-tokens.ts';
import { type Access, takesApiKeys } from './access.ts';

const BEARER = 'Authorization: Bearer <token>';

/** Describes the credentials received in terms the sender knows: for a token that was never issued, only that. */
export function notAuthenticated(access: Access, came: string): Problem {
  return unauthorized({ takes: takenBy(access), came });
}

function takenBy(access: Access): string {
  if (!takesApiKeys(access)) return BEARER;
  const { action, resource, apiKey } = access;
  const which = apiKey || action === undefined ? '' : ` with the grant ${action}:${resource}`;
  return `${BEARER}, or X-API-Key: <key>${which}`;
}

/** Why a text after Bearer is not a token, if its form shows it. */
export function describeBearer(access: Access, text: string): string {
  if (isOpaque(text, 'api_key')) return `an API key as Bearer: ${wayOfKeys(access)}`;
  if (isOpaque(text, 'refresh')) return 'a refresh token: exchange it for an access token at POST /api/v1/auth/refresh';
  return 'a token that is not valid';
}

/** The same for X-API-Key. */
export function describeApiKey(text: string): string {
  const isToken = isOpaque(text, 'session') || /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
  return isToken ? 'a token as X-API-Key: send it as Authorization: Bearer' : 'an API key that is not valid';
}

export function wayOfKeys(access: Access): string {
  return takesApiKeys(access) ? 'send it as X-API-Key' : 'this route takes none';
}
