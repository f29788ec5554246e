import { batchReads, type Sql } from '../../../platform/database/index.ts';
import { hashToken } from '../opaque-tokens.ts';
import type { TokenHolder } from '../principal.ts';
import { type FoundHolder, findApiKeyHolders, findLoginHolders, findSessionTokenHolders } from '../sql/holders.ts';
import { findSupportHolders } from '../sql/support-holders.ts';
import { SUPPORT_GRANTS } from '../support/policy.ts';

/**
 * The principal of a token, from the database. Concurrent requests share the next statement, and
 * those who ask for the same token share its row: when a node has forgotten everything, its callers cost it two statements
 * at a time and not one each.
 */
export type HolderReads = {
  ofLogin(sessionId: string): Promise<TokenHolder | undefined>;
  ofSessionToken(token: string): Promise<TokenHolder | undefined>;
  ofApiKey(key: string): Promise<TokenHolder | undefined>;
  ofSupport(session: { organizationId: string; id: string }): Promise<TokenHolder | undefined>;
};

export function createHolderReads(sql: Sql): HolderReads {
  const batched = (find: (sql: Sql, keys: string[]) => Promise<FoundHolder[]>) => {
    const read = batchReads<string, FoundHolder>({
      load: (keys) => find(sql, keys),
      keyOf: ({ key }) => key,
      textOf: (key) => key,
      maxBatch: 200,
      parallel: 2,
    });
    return async (key: string) => (await read(key))?.holder;
  };
  const ofLogin = batched(findLoginHolders);
  const ofSessionToken = batched(findSessionTokenHolders);
  const ofApiKey = batched(findApiKeyHolders);
  const ofSupport = batched((sql, keys) => findSupportHolders(sql, keys, SUPPORT_GRANTS));
  return {
    ofLogin,
    ofSessionToken: (token) => ofSessionToken(hashToken(token).toString('hex')),
    ofApiKey: (key) => ofApiKey(hashToken(key).toString('hex')),
    ofSupport: ({ organizationId, id }) => ofSupport(`${organizationId} ${id}`),
  };
}
