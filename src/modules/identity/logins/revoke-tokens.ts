import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import { revokeApiKey } from '../sql/api-keys.ts';
import { revokeSessionToken } from '../sql/tokens.ts';

/** Only its own user's: not even the owner of the organization can end a token of a colleague. */
export async function endSessionToken(identity: Identity, own: OwnToken, id: string): Promise<void> {
  if (!(await tryEndSessionToken(identity, own, id))) throw notFound('Session token not found', { id });
}

type OwnToken = { userId: string; actor: Actor };

/** False when there was none to end. */
export function tryEndSessionToken(identity: Identity, { userId, actor }: OwnToken, id: string): Promise<boolean> {
  return end(identity, actor, id, (tx, now) => revokeSessionToken(tx, userId, id, now));
}

export async function endApiKey(
  identity: Identity,
  { organizationId, actor }: { organizationId: string; actor: Actor },
  id: string,
): Promise<void> {
  const ended = await end(identity, actor, id, (tx, now) => revokeApiKey(tx, organizationId, id, now));
  if (!ended) throw notFound('API key not found', { id });
}

/** `revoke` answers whose it was, and nothing where there is none that it could end. */
async function end(
  { sql, clock, cache }: Identity,
  actor: Actor,
  id: string,
  revoke: (tx: Tx, now: Date) => Promise<Revoked | undefined>,
): Promise<boolean> {
  if (!isId(id)) return false;
  const now = clock.now();
  const entry = { action: 'revoke', resource: 'Settings', resourceId: id.toLowerCase(), changedFields: ['revoked'] };
  const isEnded = await inTransaction(sql, async (tx) => {
    const ended = await revoke(tx, now);
    // A token that is bound to no organization is in the record of none.
    if (ended?.organization_id) await recordAudit(tx, ended.organization_id, actor, [entry], now);
    return ended !== undefined;
  });
  cache.forget([id.toLowerCase()]);
  return isEnded;
}

type Revoked = { organization_id: string | null };
