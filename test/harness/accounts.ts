import {
  addMember,
  createOrganization,
  createUser,
  issueApiKey,
  issueSessionToken,
} from '../../src/modules/identity/index.ts';
import type { Role } from '../../src/modules/identity/permissions.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';

export type TestAccount = { userId: string; email: string; password: string; token: string };
export type TestOrganization = { id: string; owner: TestAccount; apiKey: string };

// One slow password hash a file would be spent on every account; tests of login make their own.
const PASSWORD = 'a password for tests';

export async function testAccount(
  sql: Sql,
  organizationId: string | null,
  role: Role = 'owner',
  options: { branchId?: string; withheld?: string[]; added?: string[]; commercial?: boolean } = {},
): Promise<TestAccount> {
  const now = new Date();
  const email = `${newId()}@tests.example`;
  const userId = await createUser(sql, {
    email,
    password: PASSWORD,
    operatorType: options.commercial ? 'Commercial' : 'Merchant',
    now,
  });
  if (organizationId !== null) {
    await addMember(sql, {
      organizationId,
      userId,
      role,
      branchId: options.branchId,
      grantsWithheld: options.withheld,
      grantsAdded: options.added,
      now,
    });
  }
  const { token } = await issueSessionToken(sql, { userId, organizationId, name: 'test', expiresInDays: null, now });
  return { userId, email, password: PASSWORD, token };
}

export async function testOrganization(sql: Sql): Promise<TestOrganization> {
  const now = new Date();
  const id = await createOrganization(sql, { nameEn: 'Test shop', nameAr: 'متجر', now });
  const owner = await testAccount(sql, id, 'owner');
  const { apiKey } = await issueApiKey(sql, { organizationId: id, name: 'test', createdBy: owner.userId, now });
  return { id, owner, apiKey };
}

export function commercialAccount(sql: Sql): Promise<TestAccount> {
  return testAccount(sql, null, 'owner', { commercial: true });
}
