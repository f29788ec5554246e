import { createSigner, createVerifier } from 'fast-jwt';
import { deriveKey } from '../../../platform/secret-box.ts';

export const ACCESS_TOKEN_SECONDS = 3_600;

/** Of a support token: the organization that it opens, and when it ends at the latest. */
export type SupportClaims = { organizationId: string; endsAt: Date };

type Claims = {
  sessionId: string;
  /** Set: `sessionId` is a support session of this organization. */
  supportOrganizationId: string | undefined;
  issuedAt: Date;
  expiresAt: Date;
};

export type Jwts = {
  sign(claims: { userId: string; sessionId: string; now: Date; support?: SupportClaims }): string;
  /** The session the token belongs to, or nothing when it is forged, malformed or past its time. */
  verify(token: string, now: Date): Claims | undefined;
  /** True of a token that we did issue and that is past its time. */
  hasExpired(token: string, now: Date): boolean;
};

export function createJwts(secret: string): Jwts {
  const key = deriveKey(secret, 'jwt').toString('hex');
  const sign = createSigner({ key, algorithm: 'HS256' });
  // Time is checked below against the injected clock, not by the library's own.
  const verify = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true });

  return {
    sign({ userId, sessionId, now, support }) {
      const iat = Math.floor(now.getTime() / 1000);
      const exp = iat + ACCESS_TOKEN_SECONDS;
      if (support === undefined) return sign({ sub: userId, sid: sessionId, iat, exp });
      const end = Math.floor(support.endsAt.getTime() / 1000);
      return sign({ sub: userId, sid: sessionId, sup: support.organizationId, iat, exp: Math.min(exp, end) });
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

  function read(token: string): Claims | undefined {
    let claims: { sid?: unknown; sup?: unknown; exp?: unknown; iat?: unknown };
    try {
      claims = verify(token);
    } catch {
      return undefined;
    }
    const { sid, sup, exp, iat } = claims;
    if (typeof sid !== 'string' || typeof exp !== 'number' || typeof iat !== 'number') return undefined;
    return {
      sessionId: sid,
      supportOrganizationId: typeof sup === 'string' ? sup : undefined,
      issuedAt: new Date(iat * 1000),
      expiresAt: new Date(exp * 1000),
    };
  }
}
