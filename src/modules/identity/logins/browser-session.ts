import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFRESH_SECONDS, type Tokens } from './issue-tokens.ts';

/**
 * In a browser the refresh token lives in a cookie that no script can read, and is asked for by a header that no foreign
 * page can send: it would need a preflight, and CORS does not let this one through.
 */
const COOKIE = 'dukkan_refresh';
/** With the API prefix: browsers go by the whole path. */
const PATH = '/api/v1/auth';
export const SESSION_HEADER = 'x-session';

export function isBrowserSession({ headers }: FastifyRequest): boolean {
  return headers[SESSION_HEADER] === 'cookie';
}

/** The answer of every route that gives tokens: the cookie is set where it was asked for. */
export function answerTokens(
  request: FastifyRequest,
  reply: FastifyReply,
  tokens: Tokens,
): Omit<Tokens, 'refresh_token'> & { refresh_token?: string } {
  if (!isBrowserSession(request)) return tokens;
  const { refresh_token: refreshToken, ...rest } = tokens;
  setCookie(request, reply, refreshToken, REFRESH_SECONDS);
  return rest;
}

// A refresh token is made of letters, digits, dots, dashes and underscores, so nothing is ever encoded or quoted, and
// whatever else came under the name is no refresh token anyway. A library for cookies would add nothing to this line.
const REFRESH_COOKIE = new RegExp(`(?:^|;) *${COOKIE}=([\\w.-]{1,200}) *(?:;|$)`);

export function findRefreshCookie({ headers }: FastifyRequest): string | undefined {
  return REFRESH_COOKIE.exec(headers.cookie ?? '')?.[1];
}

export function clearRefreshCookie(request: FastifyRequest, reply: FastifyReply): void {
  if (findRefreshCookie(request) !== undefined) setCookie(request, reply, '', 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  // Behind a trusted proxy this is what the proxy was asked by; from anyone else the forwarded header is not heard.
  const secure = request.protocol === 'https' ? ' Secure;' : '';
  reply.header(
    'set-cookie',
    `${COOKIE}=${value}; Max-Age=${maxAgeSeconds}; Path=${PATH}; HttpOnly;${secure} SameSite=Strict`,
  );
}
