import { pino } from 'pino';
import { testAccount } from '../../../../../test/harness/index.ts';
import type { MovableClock } from '../../../../platform/clock.ts';
import type { Sql } from '../../../../platform/database/index.ts';
import { newId } from '../../../../platform/ids.ts';
import { createOrganization } from '../../../identity/index.ts';
import { type BillingRun, listChargeableAssignments, runBilling } from '../index.ts';

export type Fleet = { sql: Sql; clock: MovableClock };
export type FleetShop = { id: string; token: string };

/** Opened now, with branches BR-1, BR-2, ..., which cost from the next month on. */
export async function openShop(
  { sql, clock }: Fleet,
  nameEn: string,
  nameAr: string,
  branches = 0,
): Promise<FleetShop> {
  const now = clock.now();
  const id = await createOrganization(sql, { nameEn, nameAr, now });
  const { token } = await testAccount(sql, id, 'owner');
  await sql`
    insert into branches (organization_id, id, iv_id, name_en, created, updated)
    select ${id}::uuid, id, 'BR-' || n, 'Branch ' || n, ${now}, ${now}
    from unnest(${Array.from({ length: branches }, newId)}::uuid[]) with ordinality as b (id, n)`;
  return { id, token };
}

/** The monthly run as of a moment, to which the clock is moved. */
export async function bill({ sql, clock }: Fleet, at: string): Promise<BillingRun> {
  clock.moveTo(new Date(at));
  return runBilling({ sql, clock, log: pino({ level: 'silent' }) }, { listChargeableAssignments });
}
