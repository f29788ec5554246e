import { inTransaction } from '../../platform/database/index.ts';
import { unauthorized } from '../../platform/http/problem.ts';
import { type Identity, refreshExpiry, type Tokens, tokensAnswer } from './issue-tokens.ts';
import { hashToken, newOpaqueToken } from './opaque-tokens.ts';
import { lockSessionByRefreshHash, revokeLoginSession, rotateRefresh } from './sql.ts';

/** Each refresh token works once. A used one that comes back means two hold it, so the login ends for both. */
export async function refreshLogin(identity: Identity, refreshToken: string): Promise<Tokens> {
  const now = identity.clock.now();
  const tokens = await inTransaction(identity.sql, async (tx) => {
    const session = await lockSessionByRefreshHash(tx, hashToken(refreshToken), now);
    if (session === undefined || !session.usable) return undefined;
    if (!session.is_current) {
      await revokeLoginSession(tx, session.id, now);
      return undefined;
    }
    const next = newOpaqueToken('refresh');
    await rotateRefresh(tx, session.id, next.hash, refreshExpiry(now));
    const accessToken = identity.jwts.sign({ userId: session.user_id, sessionId: session.id, now });
    return tokensAnswer(accessToken, next.token);
  });
  // Thrown outside, so that ending a stolen login is kept and not rolled back.
  if (tokens === undefined) throw unauthorized('The refresh token is not valid');
  return tokens;
}
