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

type TokensInBody = Omit<Tokens, 'refresh_token'> & { refresh_token?: string };

export type BrowserSessions = {
  /** The answer of every route that gives tokens: the cookie is set where it was asked for. */
  answerTokens(request: FastifyRequest, reply: FastifyReply, tokens: Tokens): TokensInBody;
  clearRefreshCookie(request: FastifyRequest, reply: FastifyReply): void;
};

/**
 * The cookie is `Secure` where the request came by https, which only a trusted proxy may say, and always where PUBLIC_URL is
 * https: behind a proxy that is not named in TRUST_PROXY every request looks like plain http.
 */
export function createBrowserSessions(publicUrl: string | undefined): BrowserSessions {
  const isPublicHttps = publicUrl?.startsWith('https:') === true;
  const setCookie = (request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void => {
    const secure = isPublicHttps || request.protocol === 'https' ? ' Secure;' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${value}; Max-Age=${maxAgeSeconds}; Path=${PATH}; HttpOnly;${secure} SameSite=Strict`,
    );
  };
  return {
    answerTokens(request, reply, tokens) {
      if (!isBrowserSession(request)) return tokens;
      const { refresh_token: refreshToken, ...rest } = tokens;
      setCookie(request, reply, refreshToken, REFRESH_SECONDS);
      return rest;
    },
    clearRefreshCookie(request, reply) {
      if (findRefreshCookie(request) !== undefined) setCookie(request, reply, '', 0);
    },
  };
}

// A refresh token is made of letters, digits, dots, dashes and underscores, so nothing is ever encoded or quoted, and
// whatever else came under the name is no refresh token anyway. A library for cookies would add nothing to this line.
const REFRESH_COOKIE = new RegExp(`(?:^|;) *${COOKIE}=([\\w.-]{1,200}) *(?:;|$)`);

export function findRefreshCookie({ headers }: FastifyRequest): string | undefined {
  return REFRESH_COOKIE.exec(headers.cookie ?? '')?.[1];
}
