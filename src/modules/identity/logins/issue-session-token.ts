import type { Queryable } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { newOpaqueToken } from '../opaque-tokens.ts';
import { insertSessionToken, type SessionTokenRow } from '../sql/tokens.ts';

export type NewSessionToken = {
  userId: string;
  organizationId: string | null;
  name: string;
  expiresInDays: number | null;
  now: Date;
};

/** The token itself is in the answer of this call alone; only its hash is kept. */
export async function issueSessionToken(
  sql: Queryable,
  { userId, organizationId, name, expiresInDays, now }: NewSessionToken,
): Promise<{ row: SessionTokenRow; token: string }> {
  const { token, hash, hint } = newOpaqueToken('session');
  const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * 86_400_000);
  const row = await insertSessionToken(sql, { id: newId(), userId, organizationId, name, hash, hint, expiresAt, now });
  return { row, token };
}
