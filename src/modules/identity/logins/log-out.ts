import type { Actor } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import type { Principal } from '../principal.ts';
import { revokeLoginSession } from '../sql/login-sessions.ts';
import { tryEndSessionToken } from './revoke-tokens.ts';

/** Ends the token that asked, whichever kind it is. A session token is on the list of its organization's record, however it ends. */
export async function logOut(identity: Identity, { token, user }: Principal, actor: Actor): Promise<void> {
  if (token.type === 'jwt') await revokeLoginSession(identity.sql, token.id, identity.clock.now());
  else if (user !== undefined) await tryEndSessionToken(identity, { userId: user.id, actor }, token.id);
  identity.cache.forget([token.id]);
}
