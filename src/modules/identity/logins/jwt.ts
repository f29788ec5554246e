import { createSigner, createVerifier } from 'fast-jwt';
import { deriveKey } from '../../../platform/secret-box.ts';

export const ACCESS_TOKEN_SECONDS = 3_600;

export type Jwts = {
  sign(claims: { userId: string; sessionId: string; now: Date }): string;
  /** The session the token belongs to, or nothing when it is forged, malformed or past its time. */
  verify(token: string, now: Date): { sessionId: string; issuedAt: Date; expiresAt: Date } | undefined;
  /** True of a token that we did issue and that is past its time. */
  hasExpired(token: string, now: Date): boolean;
};

export function createJwts(secret: string): Jwts {
  const key = deriveKey(secret, 'jwt').toString('hex');
  const sign = createSigner({ key, algorithm: 'HS256' });
  // Time is checked below against the injected clock, not by the library's own.
  const verify = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true });

  return {
    sign({ userId, sessionId, now }) {
      const issuedAtSeconds = Math.floor(now.getTime() / 1000);
      return sign({ sub: userId, sid: sessionId, iat: issuedAtSeconds, exp: issuedAtSeconds + ACCESS_TOKEN_SECONDS });
    },
    verify(token, now) {
      const claims = read(token);
      return claims !== undefined && claims.expiresAt > now ? claims : undefined;
    },
    hasExpired(token, now) {
      const claims = read(token);
      return claims !== undefined && claims.expiresAt <= now;
    },
  };

  function read(token: string): { sessionId: string; issuedAt: Date; expiresAt: Date } | undefined {
    let claims: { sid?: unknown; exp?: unknown; iat?: unknown };
    try {
      claims = verify(token);
    } catch {
      return undefined;
    }
    const { sid, exp, iat } = claims;
    if (typeof sid !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') return undefined;
    return { sessionId: sid, issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000) };
  }
}
