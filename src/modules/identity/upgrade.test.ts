import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from './index.ts';
import { hashToken } from './opaque-tokens.ts';
import { findUserByEmail } from './sql/accounts.ts';
import { readIdentityChanges } from './sql/changes.ts';
import { advanceRefresh } from './sql/login-sessions.ts';

it('logins, jobs and the epoch go on where they were before the upgrade', async () => {
  const { sql } = await databaseBefore('0011');
  const now = new Date();
  const organizationId = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  const userId = newId();
  await sql`
    insert into users (id, email, password_hash, operator_type, created, updated)
    values (${userId}, 'one@tests.example', '', 'Merchant', ${now}, ${now})`;
  await sql`
    insert into memberships (organization_id, user_id, role, created)
    values (${organizationId}, ${userId}, 'owner', ${now})`;
  const sessionId = newId();
  const token = `dkr_${sessionId}.${randomBytes(32).toString('base64url')}`;
  await sql`
    insert into login_sessions (id, user_id, refresh_hash, expires_at, created)
    values (${sessionId}, ${userId}, ${hashToken(token)}, ${new Date(now.getTime() + 1000)}, ${now})`;
  for (const type of ['create-order', 'recover-webhook-deliveries']) {
    await sql`
      insert into jobs (organization_id, id, type, input, created, updated)
      values (${organizationId}, ${newId()}, ${type}, '{"waiting": true}', ${now}, ${now})`;
  }
  const [before] = await sql<[{ value: number }]>`select value from identity_epoch`;

  await migrate(sql, MIGRATIONS_FOLDER);

  expect(await sql`select type, resource, input from jobs order by type`).toEqual([
    { type: 'create-order', resource: 'Orders', input: { waiting: true } },
    { type: 'recover-webhook-deliveries', resource: 'Webhooks', input: { waiting: true } },
  ]);
  const client = { ip: '192.0.2.1', userAgent: 'curl/8' };
  const refresh = { sessionId, number: 0, unnumberedHash: hashToken(token) };
  expect(await advanceRefresh(sql, refresh, { client, expiresAt: now, now })).toEqual({ user_id: userId });
  await sql`update login_sessions set revoked_at = ${now}`;
  const changes = await readIdentityChanges(sql, before.value, 100);
  expect(changes).toEqual({ epoch: before.value + 1, concerned: [[sessionId]] });
});

it('accounts of before count as verified where the operator made them or their invitation', async () => {
  const { sql } = await databaseBefore('0030');
  const now = new Date('2026-05-01T08:00:00Z');
  const later = new Date('2026-06-01T08:00:00Z');
  const organizationId = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now });
  const record = (resourceId: string, kind: string, at: Date) => sql`
    insert into audit_entries (organization_id, id, at, actor_kind, actor_id, actor_name, action, resource, resource_id,
                               changed_fields, ip, request_id)
    values (${organizationId}, ${newId()}, ${at}, ${kind}, '', '', 'create', 'Settings', ${resourceId}, '{}', '', '')`;
  async function account(local: string, { name = '', kind = 'Merchant', joined = now, invitedBy = '' } = {}) {
    const [userId, memberId] = [newId(), newId()];
    await sql`
      insert into users (id, email, name, password_hash, operator_type, created, updated)
      values (${userId}, ${`${local}@tests.example`}, ${name}, '', ${kind}, ${now}, ${now})`;
    await sql`
      insert into memberships (organization_id, id, user_id, role, created)
      values (${organizationId}, ${memberId}, ${userId}, 'owner', ${joined})`;
    if (invitedBy !== '') await record(memberId, invitedBy, joined);
    return userId;
  }
  await account('cli');
  await account('operator', { kind: 'Commercial', name: 'Ops' });
  await account('by-operator', { name: 'Sara', invitedBy: 'operator' });
  await account('by-cli', { name: 'Sara', invitedBy: 'cli' });
  await account('by-merchant', { name: 'Sara', invitedBy: 'user' });
  await account('forgotten', { name: 'Sara' });
  // Squatted by a merchant, and attached to another organization at the command line afterwards.
  await record(await account('attached', { name: 'Squatter', joined: later, invitedBy: 'user' }), 'cli', later);

  await migrate(sql, MIGRATIONS_FOLDER);

  const isVerified = async (local: string) =>
    (await findUserByEmail(sql, `${local}@tests.example`))?.verified_at?.toISOString() === now.toISOString();
  for (const local of ['cli', 'operator', 'by-operator', 'by-cli'])
    expect([local, await isVerified(local)]).toEqual([local, true]);
  for (const local of ['by-merchant', 'forgotten', 'attached'])
    expect([local, await isVerified(local)]).toEqual([local, false]);
});
