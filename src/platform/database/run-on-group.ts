import type { Queryable, Tx } from './connect.ts';
import { compile, type Statement } from './statement.ts';

/**
 * Runs statements about the tables of one group of tenants on its node, as one transaction of that node: one message there and one back.
 * The tables are named as the node has them (`groupTable`), so no statement is planned by the cluster. Through the coordinator a batch of
 * orders was five statements, each planned on the coordinator and again on the node. Undefined once a statement answers null: the following
 * ones do not run.
 *
 * Each statement answers one text, and casts every parameter that is not a text. The coordinator does not learn what they write: in a
 * transaction of its own they may write only after a statement that it knows has written to the same group (`lockFollowerOnNode`), since then it
 * commits the connection to the node in two phases.
 */
export async function runOnGroup(sql: Queryable, group: string, ...statements: Piece[]): Promise<string | undefined> {
  const values: unknown[] = [];
  const texts = statements.map((statement) => {
    const compiled = compile(statement);
    const before = values.length;
    values.push(...compiled.values);
    return compiled.text.replaceAll(/\$(\d+)/g, (_, place: string) => `($1[${before + Number(place)}])`);
  });
  // In a transaction a cluster wants the group as a constant.
  const [row] = await sql.unsafe<{ answer: string | null }[]>(
    `select run_on_group('${group}', ${sql.layout.shardOf(group).id}, $1::text[], $2::text[]) as answer`,
    [texts, values.map(textOf)],
  );
  return row?.answer ?? undefined;
}

type Piece = Statement<readonly unknown[]>;

/** An insert, update or delete about tables of a tenant's group (`tenantTable`), by the rule for transactions of `runOnGroup`. */
export async function writeToGroup(tx: Tx, organizationId: string, statement: Piece): Promise<void> {
  if (tx.layout.isDistributed)
    await runOnGroup(tx, tx.layout.groupOf(organizationId), tx`with written as (${statement}) select 'written'::text`);
  else await tx`${statement}`;
}

/** Rows from tables of a tenant's group. On a cluster they come as JSON: times are texts. */
export async function readFromGroup<T>(tx: Tx, organizationId: string, statement: Piece): Promise<readonly T[]> {
  if (!tx.layout.isDistributed) return tx<T[]>`${statement}`;
  const rows = tx`select coalesce(json_agg(r), '[]')::text from (${statement}) r`;
  return JSON.parse((await runOnGroup(tx, tx.layout.groupOf(organizationId), rows)) ?? '[]');
}

/** A table that only a cluster has: see `lockFollowerOnNode`. */
export const FOLLOWER_LOCKS = 'follower_locks';

/** The table of one server, or the shard with the rows of the tenant's group. */
export const tenantTable = (sql: Queryable, organizationId: string, name: string) =>
  groupTable(sql, sql.layout.groupOf(organizationId), name);

/** The table of one server, or the shard with the rows of a group. */
export const groupTable = (sql: Queryable, group: string, name: string) => sql(sql.layout.shardOf(group).table(name));

function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (value instanceof Buffer) return value.toString();
  return Array.isArray(value) ? arrayOf(value) : String(value);
}

function arrayOf(values: readonly unknown[]): string {
  return `{${values.map((value) => (value === null ? 'null' : `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`)).join()}}`;
}

/** Of one connection to a node: about ten for each of its groups, of up to 0.3 MB. Beyond them statements are planned each time. */
const MAX_PREPARED = 200;

/**
 * A shard that is moved is locked for writers until it is on its new node; one that has left this node is refused, and the statement is
 * repeated with the new node.
 *
 * The connection keeps each statement with one plan for any values: planned each time, a batch of orders took 1.8 ms of the node instead of
 * 0.9, a publication 1.1 instead of 0.65. Such a plan goes by keys, as in `inTransactionByIndex`, because it may be made while tables
 * are empty. A setting says which statements are known: the list of the server copies their texts. It is undone with its transaction
 * and the statement is not, so the list is asked where the setting is absent. The values are a setting of the transaction too, because an error
 * quotes the text of the `execute`, and values are orders.
 */
export async function createRunOnGroup(tx: Tx): Promise<void> {
  await tx.unsafe(`
    create function run_on_group(tenant_group uuid, shard bigint, statements text[], parameters text[]) returns text
    language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
    as $$
    declare
      statement text;
      prepared text;
      answer text;
    begin
      perform lock_shard_metadata(5, array[shard]);
      if not exists (select from pg_dist_placement where shardid = shard
                     and groupid = (select groupid from pg_dist_local_group)) then
        raise exception 'shard % is not on this node', shard using errcode = 'serialization_failure';
      end if;
      perform set_config('dukkan.parameters', parameters::text, true);
      foreach statement in array statements loop
        prepared := 'run_on_group_' || md5(statement);
        if current_setting('dukkan.' || prepared, true) is null then
          if not exists (select from pg_prepared_statements where name = prepared) then
            if (select count(*) from pg_prepared_statements) >= ${MAX_PREPARED} then
              prepared := null;
            else
              execute format('prepare %I (text[]) as %s', prepared, statement);
            end if;
          end if;
          if prepared is not null then
            perform set_config('dukkan.' || prepared, 'prepared', false);
          end if;
        end if;
        if prepared is null then
          execute statement into answer using parameters;
        else
          execute format('execute %I (current_setting(''dukkan.parameters'')::text[])', prepared) into answer;
        end if;
        exit when answer is null;
      end loop;
      return answer;
    end $$`);
  await tx`
    select create_distributed_function('run_on_group(uuid, bigint, text[], text[])', 'tenant_group', colocate_with => 'orders',
                                       force_delegation => true)`;
}
