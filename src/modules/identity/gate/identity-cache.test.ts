import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, testAccount, testDatabase, testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { addMember, setSuspended } from '../index.ts';
import type { TokenHolder } from '../principal.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { createIdentityCache, type IdentityCache } from './identity-cache.ts';
import { createHolderReads, type HolderReads } from './read-holders.ts';

let sql: Sql;
let shop: TestOrganization;
let reads: HolderReads;
const started: IdentityCache[] = [];
const POLL_OPTIONS = { interval: 10 };

beforeAll(async () => {
  ({ sql } = await testDatabase());
  shop = await testOrganization(sql);
  reads = createHolderReads(sql);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((cache) => cache.stop()));
});

/** Made after the accounts of a test, so that it has nothing of them left to follow. */
async function newNode(): Promise<IdentityCache> {
  const cache = createIdentityCache(sql);
  started.push(cache);
  await cache.start();
  return cache;
}

async function remember(cache: IdentityCache, ...tokens: string[]): Promise<(TokenHolder | undefined)[]> {
  const holders = await Promise.all(tokens.map((token) => cache.load(token, () => reads.ofSessionToken(token))));
  await expectKnown(cache, ...tokens);
  return holders;
}

const isKnown = (cache: IdentityCache, token: string) => cache.find(token) !== undefined;

/** Memory is not trusted while the machine stands still for a second; what was forgotten never comes back by itself. */
const expectKnown = (cache: IdentityCache, ...tokens: string[]) =>
  expect.poll(() => tokens.map((token) => isKnown(cache, token)), POLL_OPTIONS).toEqual(tokens.map(() => true));

describe('a change on another node', () => {
  it('makes a node forget the token it concerns, and no other', async () => {
    const colleague = await testAccount(sql, shop.id);
    const [revoked, kept] = [await testAccount(sql, shop.id), await testAccount(sql, shop.id)];
    const cache = await newNode();
    const [holder] = await remember(cache, revoked.token, kept.token, colleague.token);
    await sql`update session_tokens set revoked_at = now() where id = ${holder?.token.id ?? ''}`;
    await expect.poll(() => isKnown(cache, revoked.token), POLL_OPTIONS).toBe(false);
    await expectKnown(cache, kept.token, colleague.token);
  });

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['a user that is shut out', (userId) => sql`update users set is_active = false where id = ${userId}`],
    [
      'a new membership',
      async (userId) =>
        addMember(sql, { organizationId: (await testOrganization(sql)).id, userId, role: 'viewer', now: new Date() }),
    ],
    ['another role', (userId) => sql`update memberships set role = 'viewer' where user_id = ${userId}`],
    ['a lost membership', (userId) => sql`delete from memberships where user_id = ${userId}`],
    ['a deleted token', (userId) => sql`delete from session_tokens where user_id = ${userId}`],
  ])('%s: the user’s tokens and no other', async (_what, change) => {
    const [concerned, bystander] = [await testAccount(sql, shop.id), await testAccount(sql, shop.id)];
    const cache = await newNode();
    await remember(cache, concerned.token, bystander.token);
    await change(concerned.userId);
    await expect.poll(() => isKnown(cache, concerned.token), POLL_OPTIONS).toBe(false);
    await expectKnown(cache, bystander.token);
  });

  it('a suspension: everyone of the organization, its keys too, and no other identity', async () => {
    const late = await testOrganization(sql);
    const member = await testAccount(sql, late.id, 'viewer');
    const cache = await newNode();
    await remember(cache, late.owner.token, member.token, shop.owner.token);
    await cache.load('the key', () => reads.ofApiKey(late.apiKey));
    await expectKnown(cache, 'the key');
    await setSuspended(sql, late.id, new Date());
    for (const key of [late.owner.token, member.token, 'the key']) {
      await expect.poll(() => isKnown(cache, key), POLL_OPTIONS).toBe(false);
    }
    await expectKnown(cache, shop.owner.token);
  });

  it('a refreshed login invalidates no identity', async () => {
    await sql`
      insert into login_sessions (id, user_id, expires_at, created)
      values (gen_random_uuid(), ${shop.owner.userId}, now(), now())`;
    const epoch = async () => (await sql`select value from identity_epoch`)[0]?.value;
    const before = await epoch();
    await sql`update login_sessions set refresh_number = refresh_number + 1, expires_at = now()`;
    expect(await epoch()).toBe(before);
    await sql`update login_sessions set revoked_at = now()`;
    expect(await epoch()).toBe(before + 1);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'is missing from the log',
      () =>
        inTransaction(sql, async (tx) => {
          await tx`update identity_epoch set value = value + 1`;
          await tx`select pg_notify('identity_changed', '')`;
        }),
    ],
    [
      'concerns more than the log will hold',
      () =>
        inTransaction(sql, async (tx) => {
          await tx`
          insert into users (id, email, password_hash, operator_type, created, updated)
          select gen_random_uuid(), 'crowd' || n || '@tests.example', '', 'Merchant', now(), now()
          from generate_series(1, 1001) as n`;
          await tx`update users set name = 'one of many' where email like 'crowd%'`;
        }),
    ],
  ])('that %s makes a node forget everything', async (_what, change) => {
    const cache = await newNode();
    await remember(cache, shop.owner.token);
    await change();
    await expect.poll(() => isKnown(cache, shop.owner.token), POLL_OPTIONS).toBe(false);
  });

  it('is followed on every node, whichever order the changes are committed in', async () => {
    const [first, second] = [await testAccount(sql, shop.id), await testAccount(sql, shop.id)];
    const nodes = [await newNode(), await newNode()];
    for (const cache of nodes) await remember(cache, first.token, second.token);
    const held = await heldTransaction(sql, (tx) => tx`update users set is_active = false where id = ${first.userId}`);
    // Begun later, committed earlier, and not held up by the one before.
    await sql`update users set is_active = false where id = ${second.userId}`;
    for (const cache of nodes) await expect.poll(() => isKnown(cache, second.token), POLL_OPTIONS).toBe(false);
    for (const cache of nodes) await expectKnown(cache, first.token);
    await held.commit();
    for (const cache of nodes) await expect.poll(() => isKnown(cache, first.token), POLL_OPTIONS).toBe(false);
  });
});

describe('what is forgotten while it is being read', () => {
  it('is not remembered; what has nothing to do with it is', async () => {
    const [concerned, bystander] = [await testAccount(sql, shop.id), await testAccount(sql, shop.id)];
    const cache = await newNode();
    const gate = Promise.withResolvers<void>();
    const slowly = (token: string) =>
      cache.load(token, async () => {
        const holder = await reads.ofSessionToken(token);
        await gate.promise;
        return holder;
      });
    const loading = [slowly(concerned.token), slowly(bystander.token)];
    cache.forget([concerned.userId]);
    gate.resolve();
    expect((await Promise.all(loading)).every((holder) => holder !== undefined)).toBe(true);
    await expectKnown(cache, bystander.token);
    expect(isKnown(cache, concerned.token)).toBe(false);
  });
});

describe('reading who tokens stand for', () => {
  it('is shared: a crowd costs a few statements, and each gets its own answer', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => testAccount(sql, shop.id)));
    let statements = 0;
    const counting = new Proxy(sql, {
      apply(target, self, args) {
        if (String(args[0]).includes('token_hash = any')) statements += 1;
        return Reflect.apply(target, self, args);
      },
    });
    const { ofSessionToken } = createHolderReads(counting);
    const asked = Array.from({ length: 600 }, (_, index) => accounts[index % accounts.length] ?? expect.fail());
    const holders = await Promise.all(asked.map(({ token }) => ofSessionToken(token)));
    expect(holders.map((holder) => holder?.user?.id)).toEqual(asked.map(({ userId }) => userId));
    expect(statements).toBeLessThanOrEqual(4);
    expect(await ofSessionToken('dks_unknown')).toBeUndefined();
  });
});
