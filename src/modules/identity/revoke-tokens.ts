import { inTransaction } from '../../platform/database/index.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import type { Identity } from './issue-tokens.ts';
import { revokeApiKey } from './sql/api-keys.ts';
import { revokeSessionToken } from './sql/tokens.ts';

/** Only its own user's: not even the owner of the organization can end a token of a colleague. */
export async function endSessionToken(
  identity: Identity,
  own: { userId: string; actor: Actor },
  id: string,
): Promise<void> {
  if (!isId(id) || !(await tryEndSessionToken(identity, own, id))) throw notFound('Session token not found', { id });
}

/** False when there was none to end. */
export async function tryEndSessionToken(
  { sql, clock, cache }: Identity,
  { userId, actor }: { userId: string; actor: Actor },
  id: string,
): Promise<boolean> {
  const now = clock.now();
  const revoked = await inTransaction(sql, async (tx) => {
    const token = await revokeSessionToken(tx, userId, id, now);
    if (token !== undefined && token.organization_id !== null) {
      await recordAudit(tx, token.organization_id, actor, [revocationOf(id)], now);
    }
    return token !== undefined;
  });
  cache.forget([id.toLowerCase()]);
  return revoked;
}

export async function endApiKey(
  { sql, clock, cache }: Identity,
  { organizationId, actor }: { organizationId: string; actor: Actor },
  id: string,
): Promise<void> {
  const now = clock.now();
  const revoked =
    isId(id) &&
    (await inTransaction(sql, async (tx) => {
      if (!(await revokeApiKey(tx, organizationId, id, now))) return false;
      await recordAudit(tx, organizationId, actor, [revocationOf(id)], now);
      return true;
    }));
  if (!revoked) throw notFound('API key not found', { id });
  cache.forget([id.toLowerCase()]);
}

function revocationOf(id: string) {
  return { action: 'revoke', resource: 'Settings', resourceId: id.toLowerCase(), changedFields: ['revoked'] };
}
