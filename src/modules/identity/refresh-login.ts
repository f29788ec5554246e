import { inTransaction } from '../../platform/database/index.ts';
import { type Problem, unauthorized } from '../../platform/http/problem.ts';
import { type Identity, refreshExpiry, type Tokens, tokensAnswer } from './issue-tokens.ts';
import { findRefreshSessionId, hashToken, newRefreshToken } from './opaque-tokens.ts';
import { lockLoginSession, revokeLoginSession, rotateRefresh } from './sql/accounts.ts';

/** Each refresh token works once. A used one that comes back means two hold it, so the login ends for both. */
export async function refreshLogin(identity: Identity, refreshToken: string): Promise<Tokens> {
  const now = identity.clock.now();
  const sessionId = findRefreshSessionId(refreshToken);
  if (sessionId === undefined) throw notValid();
  const tokens = await inTransaction(identity.sql, async (tx) => {
    const session = await lockLoginSession(tx, sessionId, { refreshHash: hashToken(refreshToken), now });
    if (session === undefined || !session.usable) return undefined;
    if (!session.is_current) {
      await revokeLoginSession(tx, session.id, now);
      return undefined;
    }
    const next = newRefreshToken(session.id);
    await rotateRefresh(tx, session.id, next.hash, refreshExpiry(now));
    const accessToken = identity.jwts.sign({ userId: session.user_id, sessionId: session.id, now });
    return tokensAnswer(accessToken, next.token);
  });
  // Thrown outside, so that ending a stolen login is kept and not rolled back.
  if (tokens === undefined) throw notValid();
  return tokens;
}

function notValid(): Problem {
  return unauthorized('The refresh token is not valid');
}
