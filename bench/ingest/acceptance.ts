import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { runLoop } from '../frame/run-loop.ts';
import type { RequestMaker, Sample } from '../load/plan.ts';
import { type BenchInstall, nextOrderId, payloadOf, signedCall } from './payloads.ts';
import { checkpoint } from './setting.ts';

export const CONNECTIONS = 64;

/** Kept beside the row and not compressed, as the service keeps them: the same bytes go to the disk. */
export async function addPlainTable(sql: Sql): Promise<void> {
  await sql`
    create table bench_payloads (id uuid primary key, install_id uuid not null, payload bytea not null,
                                 received_at timestamptz not null)`;
  await sql`alter table bench_payloads alter column payload set storage external`;
}

/** The least there is: each call an insert of its own, committed by itself, as many at once as there are callers. */
export function insertPlainly(sql: Sql, installs: BenchInstall[], seconds: number): Promise<Sample> {
  return runLoop({ width: CONNECTIONS, seconds }, async (index) => {
    const install = installs[index % installs.length];
    await sql`
      insert into bench_payloads (id, install_id, payload, received_at)
      values (${newId()}, ${install?.id ?? ''}, ${Buffer.from(payloadOf(nextOrderId()))}, ${new Date()})`;
  });
}

/** Of a service without workers, where nothing leaves by itself. */
export async function emptyTables(sql: Sql): Promise<void> {
  await sql`truncate bench_payloads, staged_payloads, staging_queue, staging_receipts`;
  await checkpoint(sql);
}

export const signedCalls: RequestMaker<{ installs: BenchInstall[] }> = ({ installs }) => {
  let turn = 0;
  return () => {
    turn += 1;
    // Never undefined: there are installs.
    return signedCall(installs[turn % installs.length] as BenchInstall, nextOrderId());
  };
};
