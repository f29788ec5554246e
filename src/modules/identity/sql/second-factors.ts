import type { Queryable, Tx } from '../../../platform/database/index.ts';

/** True after the first valid code: until then it is not required. */
export async function hasSecondFactor(sql: Queryable, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`;
  return rows.length > 0;
}

export type EnrolledFactor = { secret: Buffer; isConfirmed: boolean };

export async function findSecondFactor(sql: Queryable, userId: string): Promise<EnrolledFactor | undefined> {
  const [row] = await sql<EnrolledFactor[]>`
    select secret, confirmed_at is not null as "isConfirmed" from second_factors where user_id = ${userId}`;
  return row;
}

/** False when there is a confirmed one, which stays. One that was never confirmed is replaced. */
export async function putSecret(tx: Tx, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const rows = await tx`
    insert into second_factors (user_id, secret, created) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created = excluded.created
    where second_factors.confirmed_at is null
    returning 1`;
  return rows.length > 0;
}

/** False when it is no longer the secret that the code was held against. */
export async function confirmSecret(
  tx: Tx,
  userId: string,
  { secret, step, codeHashes, now }: { secret: Buffer; step: number; codeHashes: Buffer[]; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update second_factors set confirmed_at = ${now}, last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning 1`;
  if (rows.length === 0) return false;
  const hashes = codeHashes.map((hash) => hash.toString('hex'));
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(hash, 'hex') from unnest(${hashes}::text[]) as hash`;
  return true;
}

/** The recovery codes go with it. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx`delete from second_factors where user_id = ${userId} and confirmed_at is not null returning 1`;
  return rows.length > 0;
}

/** Confirmed or not. False when there was none. */
export async function dropSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx`delete from second_factors where user_id = ${userId} returning 1`;
  return rows.length > 0;
}

export type Tries = { max: number; windowOpenedAfter: Date; now: Date };

/** Counts a try before it is judged, so that a hundred at the same moment are a hundred. Nothing when there is no try left. */
export async function takeTry(
  sql: Queryable,
  userId: string,
  { max, windowOpenedAfter, now }: Tries,
): Promise<Buffer | undefined> {
  const isOver = sql`(tries_since is null or tries_since <= ${windowOpenedAfter}::timestamptz)`;
  const [row] = await sql<{ secret: Buffer }[]>`
    update second_factors
    set tries = case when ${isOver} then 1 else tries + 1 end,
        tries_since = case when ${isOver} then ${now}::timestamptz else tries_since end
    where user_id = ${userId} and confirmed_at is not null and (tries < ${max} or ${isOver})
    returning secret`;
  return row?.secret;
}

export async function findTriesSince(sql: Queryable, userId: string): Promise<Date | undefined> {
  const [row] = await sql<{ tries_since: Date | null }[]>`
    select tries_since from second_factors where user_id = ${userId} and confirmed_at is not null`;
  return row?.tries_since ?? undefined;
}

/** Compared and advanced in one statement: of many that show the same code, one gets in. */
export async function spendStep(sql: Queryable, userId: string, secret: Buffer, step: number): Promise<boolean> {
  const rows = await sql`
    update second_factors set last_step = ${step}, tries = 0
    where user_id = ${userId} and secret = ${secret} and confirmed_at is not null and last_step < ${step}::bigint
    returning 1`;
  return rows.length > 0;
}

/** Taken out in one statement, so each works once. The factor is locked before its codes, as when it is removed. */
export async function spendRecoveryCode(sql: Queryable, userId: string, codeHash: Buffer): Promise<boolean> {
  const rows = await sql`
    with factor as materialized (select user_id from second_factors where user_id = ${userId} for no key update),
    spent as (
      delete from recovery_codes c using factor where c.user_id = factor.user_id and c.code_hash = ${codeHash} returning 1)
    update second_factors set tries = 0 where user_id = ${userId} and exists (select from spent) returning 1`;
  return rows.length > 0;
}
