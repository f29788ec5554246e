import type { Tx } from '../../../platform/database/index.ts';
import type { Principal } from '../principal.ts';
import { lockTokenOwner } from '../sql/tokens.ts';
import { signedIn } from './access.ts';
import { notAuthenticated } from './not-authenticated.ts';

/** For rules that hand out lasting access: asks the database, not the cache, whether the caller still has its own. */
export async function requireLiveToken(tx: Tx, { token, user }: Principal): Promise<void> {
  if (token.type === 'api_key' || token.type === 'support' || user === undefined) {
    throw new Error('this route takes neither API keys nor support tokens');
  }
  const live = await lockTokenOwner(tx, { type: token.type, id: token.id, userId: user.id });
  if (!live) throw notAuthenticated(signedIn, 'a token that was revoked');
}
