import type { Queryable, Sql, Tx } from '../../../platform/database/index.ts';

export type TenantQueue = { organizationId: string; type: string };

/** The queue orders by a 32-bit number. */
const RESTART_AT = 1_000_000_000;

/**
 * The next turn (round-robin sequence number) of this tenant, locked until the caller commits: one after its last, so that its jobs
 * run one after the other, and after the job that started last, so that a tenant cannot catch up on turns it did not use.
 */
export async function lockTurn(tx: Tx, { organizationId, type }: TenantQueue): Promise<number> {
  const [row] = await tx<[{ turn: number }]>`
    insert into job_turns (organization_id, type, turn)
    values (${organizationId}, ${type}, coalesce((select turn from job_clocks where type = ${type}), 0) + 1)
    on conflict (organization_id, type) do update set turn = greatest(job_turns.turn + 1, excluded.turn)
    returning turn`;
  return row.turn;
}

export async function moveClock(sql: Queryable, type: string, turn: number): Promise<void> {
  await sql`
    insert into job_clocks (type, turn) values (${type}, ${turn})
    on conflict (type) do update set turn = excluded.turn where job_clocks.turn < excluded.turn`;
}

/** Resets the numbers of types without waiting jobs: waiting jobs would have to be renumbered. */
export async function restartTurns(sql: Sql, restartAt = RESTART_AT): Promise<void> {
  await sql`
    with restarted as (
      update job_clocks set turn = 0
      where turn >= ${restartAt}
        and not exists (select from jobs where jobs.type = job_clocks.type and status in ('queued', 'running'))
      returning type)
    delete from job_turns where type in (select type from restarted)`;
}
