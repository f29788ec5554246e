import { saveGoal } from '../modules/analytics/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { localDay } from '../platform/local-day.ts';
import type { DemoPeople } from './people.ts';

const ZONE = 'Asia/Riyadh';
/** Revenue in SAR that each shop wants to make a day, in the order of the demo's organizations: a little under what they make. */
const GOAL_PER_DAY = [12_500, 1_000] as const;
const ROUNDED_TO = 5_000;

/** A revenue goal of the current month and of the next, so that a demo that runs on has one too. */
export async function seedGoals(tx: Tx, people: DemoPeople, now: Date): Promise<void> {
  const [year = 0, month = 1] = localDay(now, ZONE).split('-').map(Number);
  for (const [index, perDay] of GOAL_PER_DAY.entries()) {
    const organizationId = people.logins.organizations[index]?.id;
    if (organizationId === undefined) continue;
    for (const ahead of [0, 1]) {
      const first = new Date(Date.UTC(year, month - 1 + ahead, 1));
      const days = new Date(Date.UTC(year, month + ahead, 0)).getUTCDate();
      const revenue = Math.round((perDay * days) / ROUNDED_TO) * ROUNDED_TO;
      await saveGoal(tx, organizationId, { month: first.toISOString().slice(0, 10), revenue }, now);
    }
  }
}
