import { expect, it } from 'vitest';
import { advanceFollower, lockFollowerOnNode } from '../../src/modules/events/sql/events.ts';
import {
  FOLLOWER_LOCKS,
  groupTable,
  inOnePhase,
  inTransaction,
  readLayout,
  runOnGroup,
  type Sql,
} from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { listNodeUrls } from '../harness/cluster-databases.ts';
import { connectPatiently } from '../harness/connect-patiently.ts';
import { testDatabase } from '../harness/index.ts';

const clusterUrl = process.env.CLUSTER_DATABASE_URL ?? '';

async function groupOnNode(sql: Sql, databaseUrl: string) {
  const [, first = '', second = ''] = await listNodeUrls(clusterUrl);
  const [group] = sql.layout.groups;
  if (group === undefined) throw new Error('there is no group');
  const [at] = await sql<{ port: number }[]>`
    select nodeport as port from pg_dist_shard_placement where shardid = ${sql.layout.shardOf(group.id).id}::bigint`;
  const [from, to] = Number(new URL(first).port) === at?.port ? [first, second] : [second, first];
  const connect = (url: string) => {
    const node = new URL(url);
    node.pathname = new URL(databaseUrl).pathname;
    return connectPatiently(node.href, 1);
  };
  return { group: group.id, from: new URL(from), to: new URL(to), node: connect(from) };
}

it('statements of a group run in order on its node, with values of every kind, until one answers null', async () => {
  const { sql } = await testDatabase();
  const [group = { id: '' }] = sql.layout.groups;
  const values = ['plain', 'with "quotes", \\ and {braces}', 'null', null];
  const answer = await runOnGroup(
    sql,
    group.id,
    sql`select ${'first'}::text`,
    sql`select json_build_object('list', ${values}::text[], 'n', ${42}::int, 'yes', ${true}, 'long', ${sql.text('نص "طويل"')}::text)::text`,
  );
  expect(JSON.parse(answer ?? '')).toEqual({ list: values, n: 42, yes: true, long: 'نص "طويل"' });
  expect(await runOnGroup(sql, group.id, sql`select null::text`, sql`select 1 / 0`)).toBeUndefined();
  const count = await inOnePhase(sql, (tx) =>
    runOnGroup(tx, group.id, tx`select count(*)::text from ${groupTable(tx, group.id, 'orders')}`),
  );
  expect(count).toBe('0');
});

it('what it writes after a statement that the coordinator knows is committed and rolled back with the transaction', async () => {
  const { sql } = await testDatabase();
  const [group = { id: '' }] = sql.layout.groups;
  const note = () => sql`
    insert into ${groupTable(sql, group.id, 'customer_spending')} (organization_id, branch_id, customer_id, currency, orders, spent)
    values (${newId()}::uuid, ${newId()}::uuid, ${newId()}::uuid, 'SAR', 1, 1) returning currency`;
  const count = async () =>
    runOnGroup(sql, group.id, sql`select count(*)::text from ${groupTable(sql, group.id, 'customer_spending')}`);
  const write = (end: () => void) =>
    inTransaction(sql, async (tx) => {
      await lockFollowerOnNode(tx, 'a follower', group.id);
      expect(await runOnGroup(tx, group.id, note())).toBe('SAR');
      end();
    });
  const undo = () => {
    throw new Error('undone');
  };
  await expect(write(undo)).rejects.toThrow('undone');
  expect(await count()).toBe('0');
  // What the node knows of its statements is undone with the transaction, the statements are not.
  await write(() => undefined);
  await write(() => undefined);
  expect(await count()).toBe('2');
});

it('runs more statements than a connection keeps', async () => {
  const { sql } = await testDatabase();
  const [group = { id: '' }] = sql.layout.groups;
  const answers: (string | undefined)[] = [];
  for (let n = 0; n < 210; n += 1)
    answers.push(
      await runOnGroup(sql, group.id, sql`select ${sql(`c${n}`)}::text from (select ${n}::int) as t (${sql(`c${n}`)})`),
    );
  expect(answers).toEqual(answers.map((_, n) => String(n)));
});

it('a shard that has moved is found on its new node and refused on the old one', async () => {
  const { sql, url } = await testDatabase();
  const { group, from, to, node } = await groupOnNode(sql, url);
  const { id } = sql.layout.shardOf(group);
  await sql`
    select citus_move_shard_placement(${id}::bigint, ${from.hostname}, ${Number(from.port)}::int, ${to.hostname}, ${Number(to.port)}::int,
                                      'block_writes')`;
  const moved = await readLayout(sql);
  expect(moved.shardOf(group).id).toBe(id);
  expect(await runOnGroup(sql, group, sql`select inet_server_port()::text`)).toBe(to.port);
  await expect(
    node.unsafe(`select run_on_group('${group}', ${id}, array['select 1::text'], '{}') from (select 1 offset 0) here`),
  ).rejects.toMatchObject({ code: '40001' });
  await node.end();
});

it('a follower waits for the part of its last batch that is on the node', async () => {
  const { sql, url } = await testDatabase();
  const { group, node } = await groupOnNode(sql, url);
  await sql`delete from event_followers where name = 'a follower'`;
  await sql`insert into event_followers (tenant_group, name, position) values (${group}, 'a follower', 3)`;
  // As a batch is between the commits of the two servers.
  await node.unsafe(
    `begin;
     insert into ${sql.layout.shardOf(group).table(FOLLOWER_LOCKS)} (tenant_group, name) values ('${group}', 'a follower');
     prepare transaction 'a batch'`,
  );
  const next = inTransaction(sql, async (tx) => {
    await tx`set local lock_timeout = '300ms'`;
    expect(await advanceFollower(tx, 'a follower', group, { from: 3, to: 5 })).toBe(true);
    await lockFollowerOnNode(tx, 'a follower', group);
  });
  await expect(next).rejects.toMatchObject({ code: '55P03' });
  await node.unsafe(`commit prepared 'a batch'`);
  await inTransaction(sql, async (tx) => {
    expect(await advanceFollower(tx, 'a follower', group, { from: 3, to: 5 })).toBe(true);
    await lockFollowerOnNode(tx, 'a follower', group);
  });
  expect(await inTransaction(sql, (tx) => advanceFollower(tx, 'a follower', group, { from: 3, to: 7 }))).toBe(false);
  await node.end();
});
