import { scryptSync } from 'node:crypto';
import { addMember, createOrganization, issueApiKey, issueSessionToken } from '../../src/modules/identity/index.ts';
import type { Role } from '../../src/modules/identity/permissions.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';

export type TestAccount = { userId: string; email: string; password: string; token: string };
export type TestOrganization = { id: string; owner: TestAccount; apiKey: string };

const PASSWORD = 'a password for tests';

/**
 * As the service stores it, at the lowest cost there is: to set or check a password of the usual cost takes 60 ms of an idle core, and
 * some tests make an account for every case. Tests of passwords set their own.
 */
function cheapPasswordHash(password: string): string {
  return `scrypt$16$8$1$c2FsdA==$${scryptSync(password, 'salt', 32, { N: 16, r: 8, p: 1 }).toString('base64')}`;
}

const PASSWORD_HASH = cheapPasswordHash(PASSWORD);

export async function testAccount(
  sql: Sql,
  organizationId: string | null,
  role: Role = 'owner',
  options: { branchId?: string; withheld?: string[]; added?: string[]; commercial?: boolean } = {},
): Promise<TestAccount> {
  const now = new Date();
  const email = `${newId()}@tests.example`;
  const userId = newId();
  await sql`
    insert into users (id, email, password_hash, operator_type, verified_at, created, updated)
    values (${userId}, ${email}, ${PASSWORD_HASH}, ${options.commercial ? 'Commercial' : 'Merchant'},
            ${now}, ${now}, ${now})`;
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
