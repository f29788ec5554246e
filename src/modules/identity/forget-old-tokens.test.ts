import { beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import { forgetOldTokens } from './forget-old-tokens.ts';
import { heldTransaction } from './testing/held-transaction.ts';

const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
let sql: Sql;
let shop: TestOrganization;

beforeAll(async () => {
  ({ sql } = await testDatabase());
  shop = await testOrganization(sql);
  await sql`delete from session_tokens`;
  await sql`delete from api_keys`;
});

const run = () => forgetOldTokens({ sql, clock }, new AbortController().signal);
const names = async (table: 'session_tokens' | 'api_keys') =>
  (await sql<{ name: string }[]>`select name from ${sql(table)} order by name`).map(({ name }) => name);

async function addLogins(count: number, expiresAt: Date): Promise<void> {
  await sql`
    insert into login_sessions (id, user_id, expires_at, created)
    select gen_random_uuid(), ${shop.owner.userId}, ${expiresAt}, ${expiresAt} from generate_series(1, ${count})`;
}

describe('tokens that have ended', () => {
  it('are forgotten: logins a week after their time, however many there are', async () => {
    await addLogins(1_203, ago(8));
    await addLogins(2, ago(6));
    await addLogins(1, ago(-20));
    await run();
    const [left] = await sql`select count(*) as logins from login_sessions`;
    expect(left).toEqual({ logins: 3 });
  });

  it('are forgotten: session tokens and API keys 90 days after their end, and no others', async () => {
    const add = (name: string, expiresAt: Date | null, revokedAt: Date | null) => sql`
      insert into session_tokens (id, user_id, name, token_hash, hint, created, expires_at, revoked_at)
      values (gen_random_uuid(), ${shop.owner.userId}, ${name}, decode(md5(${name}), 'hex'), '', ${ago(400)},
              ${expiresAt}, ${revokedAt})`;
    await add('endless', null, null);
    await add('to come', ago(-1), null);
    await add('expired lately', ago(89), null);
    await add('expired long ago', ago(91), null);
    await add('revoked lately', null, ago(89));
    await add('revoked long ago', ago(-500), ago(91));
    const addKey = (name: string, revokedAt: Date | null, expiresAt: Date | null = null) => sql`
      insert into api_keys (organization_id, id, name, key_hash, hint, created, revoked_at, expires_at)
      values (${shop.id}, gen_random_uuid(), ${name}, decode(md5(${name}), 'hex'), '', ${ago(400)}, ${revokedAt},
              ${expiresAt})`;
    await addKey('live', null);
    await addKey('revoked lately', ago(89));
    await addKey('revoked long ago', ago(91));
    await addKey('expired lately', null, ago(89));
    await addKey('expired long ago', null, ago(91));
    await run();
    expect(await names('session_tokens')).toEqual(['endless', 'expired lately', 'revoked lately', 'to come']);
    expect(await names('api_keys')).toEqual(['expired lately', 'live', 'revoked lately']);
  });

  it('are skipped until the next run while their rows are locked', async () => {
    await addLogins(1, ago(30));
    const held = await heldTransaction(
      sql,
      (tx) => tx`select from login_sessions where expires_at = ${ago(30)} for update`,
    );
    await run();
    await held.commit();
    expect(await sql`select from login_sessions where expires_at = ${ago(30)}`).toHaveLength(1);
    await run();
    expect(await sql`select from login_sessions where expires_at = ${ago(30)}`).toHaveLength(0);
  });

  it('and changes of long ago, which every node has followed', async () => {
    await sql`update identity_epoch set value = value + 20000`;
    await sql`update users set name = 'renamed' where id = ${shop.owner.userId}`;
    await run();
    expect(await sql`select from identity_changes`).toHaveLength(1);
  });
});
