import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import type { Identity } from '../identity.ts';
import { revokeApiKey } from '../sql/api-keys.ts';
import { revokeSessionToken } from '../sql/tokens.ts';

/** Only its own user's: not even the owner of the organization can end a token of a colleague. */
export function endSessionToken(
  identity: Identity,
  { userId, actor }: { userId: string; actor: Actor },
  id: string,
): Promise<void> {
  return end(identity, actor, {
    id,
    kind: 'Session token',
    revoke: (tx, now) => revokeSessionToken(tx, userId, id, now),
  });
}

export function endApiKey(
  identity: Identity,
  { organizationId, actor }: { organizationId: string; actor: Actor },
  id: string,
): Promise<void> {
  return end(identity, actor, { id, kind: 'API key', revoke: (tx, now) => revokeApiKey(tx, organizationId, id, now) });
}

/** `revoke` answers whose it was, and nothing where there is none that it could end. */
async function end(
  { sql, clock, cache }: Identity,
  actor: Actor,
  { id, kind, revoke }: { id: string; kind: string; revoke: (tx: Tx, now: Date) => Promise<Revoked | undefined> },
): Promise<void> {
  const now = clock.now();
  const entry = { action: 'revoke', resource: 'Settings', resourceId: id.toLowerCase(), changedFields: ['revoked'] };
  const revoked =
    isId(id) &&
    (await inTransaction(sql, async (tx) => {
      const ended = await revoke(tx, now);
      // A token that is bound to no organization is in the record of none.
      if (ended?.organization_id) await recordAudit(tx, ended.organization_id, actor, [entry], now);
      return ended !== undefined;
    }));
  if (!revoked) throw notFound(`${kind} not found`, { id });
  cache.forget([id.toLowerCase()]);
}

type Revoked = { organization_id: string | null };
