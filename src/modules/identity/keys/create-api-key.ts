import type { Tx } from '../../../platform/database/index.ts';
import { forbidden, unprocessable } from '../../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { getConfiningBranch } from '../confining-branch.ts';
import { enforceApiKeyLimit } from '../logins/token-limits.ts';
import { type Grant, grantParts, isGrant, mayDo } from '../permissions.ts';
import { type ApiKeyRow, lockStanding } from '../sql/api-keys.ts';
import { issueApiKey } from './issue-api-key.ts';

export type AskedKey = {
  name?: string;
  grants?: string[];
  branch_iv_id?: string | null;
  expires_at?: string | null;
};

/** A key gets only grants that its creator holds. The command line has no account and may give any. */
export async function createApiKey(
  tx: Tx,
  asker: { organizationId: string; userId: string | null; actor: Actor },
  asked: AskedKey,
  now: Date,
): Promise<{ row: ApiKeyRow; apiKey: string }> {
  const { organizationId, userId, actor } = asker;
  const grants = readGrants(asked.grants ?? []);
  const expiresAt = readExpiry(asked.expires_at, now);
  await enforceApiKeyLimit(tx, organizationId, now);
  if (userId !== null) await requireHeld(tx, organizationId, userId, grants);
  const branch = await getConfiningBranch(tx, organizationId, asked.branch_iv_id);

  const issued = await issueApiKey(tx, {
    organizationId,
    name: asked.name ?? '',
    grants,
    branch,
    expiresAt,
    createdBy: userId,
    now,
  });
  const changedFields = Object.entries({
    name: asked.name,
    grants: asked.grants,
    branch_iv_id: branch,
    expires_at: expiresAt,
  })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
  const entry = { action: 'create', resource: 'Settings', resourceId: issued.row.id, changedFields };
  await recordAudit(tx, organizationId, actor, [entry], now);
  return issued;
}

async function requireHeld(tx: Tx, organizationId: string, userId: string, grants: readonly Grant[]): Promise<void> {
  const standing = await lockStanding(tx, organizationId, userId);
  if (standing !== undefined && standing.branchId !== null) {
    throw forbidden({ account: 'confined to one branch' }).named('branch-confined');
  }
  // The right to make keys at all is asked for once more: it too may be gone since the gate looked.
  const needed: Grant[] = ['create:Settings', ...grants];
  const lacking = needed.filter((grant) => {
    const { action, resource } = grantParts(grant);
    return standing === undefined || !mayDo(standing, action, resource);
  });
  if (lacking.length > 0) {
    throw forbidden({ grants: `not held by this account: ${lacking.join(', ')}` }).named('missing-grant');
  }
}

function readGrants(given: readonly string[]): Grant[] {
  const faults: Record<string, string> = {};
  const grants = new Set<Grant>();
  given.forEach((text, index) => {
    if (!isGrant(text)) faults[`grants.${index}`] = 'must be a grant such as read:Orders';
    else if (grantParts(text).resource === 'Settings') faults[`grants.${index}`] = 'is never given to an API key';
    else grants.add(text);
  });
  if (Object.keys(faults).length > 0) throw unprocessable(faults);
  return [...grants];
}

function readExpiry(text: string | null | undefined, now: Date): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const expiresAt = new Date(text.replace(' ', 'T'));
  if (expiresAt <= now) throw unprocessable({ expires_at: 'must be in the future' });
  return expiresAt;
}
