import type { Queryable } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { newOpaqueToken } from '../opaque-tokens.ts';
import { type ApiKeyRow, insertApiKey } from '../sql/api-keys.ts';
import type { ConfiningBranch } from '../sql/branches.ts';

export type NewApiKey = {
  organizationId: string;
  name: string;
  /** None: it opens GET /apps alone. */
  grants?: readonly string[];
  branch?: ConfiningBranch;
  expiresAt?: Date;
  createdBy: string | null;
  now: Date;
};

export async function issueApiKey(sql: Queryable, key: NewApiKey): Promise<{ row: ApiKeyRow; apiKey: string }> {
  const { token, hash, hint } = newOpaqueToken('api_key');
  const row = await insertApiKey(sql, { id: newId(), hash, hint, ...key });
  return { row, apiKey: token };
}
