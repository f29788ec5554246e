import { beforeEach, expect } from 'vitest';
import { type TestOrganization, testOrganization, testService } from '../../../../test/harness/index.ts';
import { type BranchClient, branchClient } from './client.ts';
import { listStoredFiles } from './images.ts';

/** A service with an organization per test. After each test no unclaimed and no partial file may be left. */
export async function branchFormService() {
  const service = await testService();
  const at = {} as { shop: TestOrganization; client: BranchClient };
  const stored = () => listStoredFiles(service.dataDir);
  beforeEach(async () => {
    at.shop = await testOrganization(service.sql);
    at.client = branchClient(service.baseUrl, at.shop.owner.token);
    return async () => {
      expect(await service.sql`select key from unclaimed_files`).toEqual([]);
      expect((await stored()).filter((file) => file.startsWith('.incoming'))).toEqual([]);
    };
  });
  return { service, at, stored };
}
