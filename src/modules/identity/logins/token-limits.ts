import type { Tx } from '../../../platform/database/index.ts';
import { conflict } from '../../../platform/http/problem.ts';
import { countLiveApiKeys } from '../sql/api-keys.ts';
import { countLiveSessionTokens, lockOrganization } from '../sql/tokens.ts';

/** What is revoked or has expired does not count. */
export const MAX_SESSION_TOKENS = 100;
export const MAX_API_KEYS = 100;

/** The user is held by now (requireLiveToken), so of two that ask at once the second counts the first. */
export async function enforceSessionTokenLimit(tx: Tx, userId: string, now: Date): Promise<void> {
  const live = await countLiveSessionTokens(tx, userId, now);
  if (live >= MAX_SESSION_TOKENS) throw conflict('Too many session tokens', { limit: MAX_SESSION_TOKENS });
}

export async function enforceApiKeyLimit(tx: Tx, organizationId: string, now: Date): Promise<void> {
  await lockOrganization(tx, organizationId);
  const live = await countLiveApiKeys(tx, organizationId, now);
  if (live >= MAX_API_KEYS) throw conflict('Too many API keys', { limit: MAX_API_KEYS });
}
