import type { Identity } from '../identity.ts';
import type { Principal } from '../principal.ts';
import { revokeLoginSession } from '../sql/accounts.ts';
import { revokeSessionToken } from '../sql/tokens.ts';

/** Ends the token that asked, whichever kind it is. */
export async function logOut(identity: Identity, principal: Principal): Promise<void> {
  const now = identity.clock.now();
  const { token, user } = principal;
  if (token.type === 'jwt') await revokeLoginSession(identity.sql, token.id, now);
  else if (user !== undefined) await revokeSessionToken(identity.sql, user.id, token.id, now);
  identity.cache.forget([token.id]);
}
