import type { Actor } from '../modules/audit/index.ts';
import { addClosures, lockClosureBranches } from '../modules/branches/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { localDay } from '../platform/local-day.ts';

const TIME_ZONE = 'Asia/Riyadh';
/** Entered a while ago: otherwise the audit of a fresh demo begins with a page of them. */
const ENTERED_MS_AGO = 17 * 86_400_000;
const HOLIDAYS = [
  { monthDay: '02-22', reasonEn: 'Founding Day', reasonAr: 'يوم التأسيس' },
  { monthDay: '09-23', reasonEn: 'National Day', reasonAr: 'اليوم الوطني' },
];

/** The next of each national holiday, for every branch. Never today: the demo is open. */
export async function seedClosures(tx: Tx, organizationId: string, actor: Actor, now: Date): Promise<void> {
  const branches = await lockClosureBranches(tx, organizationId, undefined);
  const entered = new Date(now.getTime() - ENTERED_MS_AGO);
  const today = localDay(now, TIME_ZONE);
  const year = Number(today.slice(0, 4));
  for (const { monthDay, reasonEn, reasonAr } of HOLIDAYS) {
    const day = `${year}-${monthDay}` > today ? `${year}-${monthDay}` : `${year + 1}-${monthDay}`;
    const closure = { from: day, until: day, reasonEn, reasonAr };
    await addClosures(tx, { organizationId, timeZone: TIME_ZONE }, branches, closure, actor, entered);
  }
}
