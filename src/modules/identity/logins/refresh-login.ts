import { type Problem, unauthorized } from '../../../platform/http/problem.ts';
import type { Identity } from '../identity.ts';
import type { Client } from '../sessions/client.ts';
import { advanceRefresh, findRefreshState, revokeLoginSession } from '../sql/login-sessions.ts';
import { issueTokens, refreshExpiry, type Tokens } from './issue-tokens.ts';

/** Two tabs may send the same token at once, and an answer may be lost on its way. */
export const GRACE_MS = 30_000;

/**
 * Each refresh token works once, and for the time of grace gives its successor again. A used one that comes back later
 * means two hold it, so the login ends for both. One that we did not issue is refused and ends nothing: the id of a login
 * can be read in any of its old access tokens.
 */
export async function refreshLogin(identity: Identity, refreshToken: string, client: Client): Promise<Tokens> {
  const { sql, clock, cache, refreshTokens } = identity;
  const now = clock.now();
  const presented = refreshTokens.read(refreshToken);
  if (presented === undefined) throw notValid();
  const { sessionId, number } = presented;
  const next = { sessionId, refreshNumber: number + 1, now };

  const advanced = await advanceRefresh(sql, presented, { client, expiresAt: refreshExpiry(now), now });
  if (advanced !== undefined) return issueTokens(identity, { ...next, userId: advanced.user_id });

  const login = await findRefreshState(sql, presented, now);
  if (login === undefined || !login.usable || login.refresh_number <= number) throw notValid();
  const sinceMs = now.getTime() - (login.refreshed_at?.getTime() ?? 0);
  if (login.refresh_number === number + 1 && sinceMs <= GRACE_MS) {
    return issueTokens(identity, { ...next, userId: login.user_id });
  }
  await revokeLoginSession(sql, sessionId, now);
  cache.forget([sessionId]);
  throw notValid();
}

function notValid(): Problem {
  return unauthorized('The refresh token is not valid');
}
