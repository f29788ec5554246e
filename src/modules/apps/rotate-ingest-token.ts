import type { Tx } from '../../platform/database/index.ts';
import { forbidden, type Problem } from '../../platform/http/problem.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { recordAudit } from '../audit/index.ts';
import { getLocked, type InstallAuthor, type InstallKey, newIngestToken } from './manage-installs.ts';
import { replaceIngestToken } from './sql.ts';

/**
 * The old token stops at once: the statement that stores a call compares the version of the install. Only owners: a token that
 * authenticates a vendor's calls is a secret as the settings are.
 */
export async function rotateIngestToken(
  tx: Tx,
  box: SecretBox,
  key: InstallKey,
  { actor, isOwner }: InstallAuthor,
  now: Date,
): Promise<{ id: string; ingestToken: string }> {
  if (!isOwner) throw ownerNeeded();
  const { id } = await getLocked(tx, box, key);
  const ingestToken = newIngestToken();
  await replaceIngestToken(tx, box, { organizationId: key.organizationId, id, ingestToken, now });
  const entry = { action: 'rotate-secret', resource: 'Apps', resourceId: id, changedFields: ['ingest_token'] };
  await recordAudit(tx, key.organizationId, actor, [entry], now);
  return { id, ingestToken };
}

export function ownerNeeded(): Problem {
  return forbidden({ role: 'owner is required' }).named('owner-required');
}
