import type { Tx } from '../../../platform/database/index.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { conflict, notFound, unprocessable } from '../../../platform/http/problem.ts';
import type { FieldErrors } from '../../../platform/http/validation.ts';
import { newId } from '../../../platform/ids.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import {
  deleteSchedule,
  endPrices,
  findOverlaps,
  insertSchedule,
  lockSchedule,
  lockScheduledSkus,
} from '../sql/scheduled-prices.ts';
import type { NewScheduleShape } from './schema.ts';

/** Of the SKUs at fault, how many are named. */
const MAX_NAMED = 10;

export const alreadyScheduled = (skuIvIds: readonly string[]) =>
  conflict('Prices are already scheduled', { sku_iv_ids: skuIvIds.slice(0, MAX_NAMED) });
export const scheduleNotFound = (id: string) => notFound('Price schedule not found', { id });

export async function schedulePrices(
  tx: Tx,
  organizationId: string,
  wanted: NewScheduleShape,
  actor: Actor,
  now: Date,
): Promise<{ id: string; skus: number }> {
  const period = readPeriod(wanted, now);
  const ivIds = [...new Set(wanted.sku_iv_ids)];
  const skus = await lockScheduledSkus(tx, organizationId, ivIds);
  const known = new Set(skus.map(({ iv_id }) => iv_id));
  const missing = ivIds.filter((ivId) => !known.has(ivId));
  if (missing.length > 0)
    throw unprocessable({ sku_iv_ids: `do not exist: ${missing.slice(0, MAX_NAMED).join(', ')}` });
  const overlaps = await findOverlaps(tx, organizationId, skus, period);
  if (overlaps.length > 0) throw alreadyScheduled(overlaps);
  const id = newId();
  const schedule = {
    organization_id: organizationId,
    id,
    price: wanted.price ?? null,
    percent: wanted.percent ?? null,
    starts_at: period.startsAt,
    ends_at: period.endsAt,
    status: 'scheduled' as const,
    created: now,
  };
  await insertSchedule(tx, schedule, skus);
  const entry = { action: 'create', resource: 'Products', resourceId: id, changedFields: ['price'] };
  await recordAudit(tx, organizationId, actor, [entry], now);
  return { id, skus: skus.length };
}

/** An active schedule ends first: its SKUs get their earlier prices back. */
export async function cancelSchedule(
  tx: Tx,
  organizationId: string,
  id: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const schedule = await lockSchedule(tx, organizationId, id);
  if (schedule === undefined) throw scheduleNotFound(id);
  if (schedule.status === 'active') await endPrices(tx, schedule, now);
  await deleteSchedule(tx, schedule);
  const entry = { action: 'delete', resource: 'Products', resourceId: id, changedFields: ['price'] };
  await recordAudit(tx, organizationId, actor, [entry], now);
}

function readPeriod(wanted: NewScheduleShape, now: Date): { startsAt: Date; endsAt: Date | null } {
  const errors: FieldErrors = {};
  if ((wanted.price === undefined) === (wanted.percent === undefined)) errors.price = 'send either price or percent';
  const startsAt = parseInstant(wanted.starts_at);
  const endsAt = wanted.ends_at === undefined ? null : parseInstant(wanted.ends_at);
  const form = 'must be an RFC 3339 time such as 2027-02-08T00:00:00+03:00';
  if (startsAt === undefined) errors.starts_at = form;
  if (endsAt === undefined) errors.ends_at = form;
  else if (endsAt !== null && startsAt !== undefined && (endsAt <= startsAt || endsAt <= now)) {
    errors.ends_at = 'must be later than starts_at and than now';
  }
  if (startsAt === undefined || endsAt === undefined || Object.keys(errors).length > 0) throw unprocessable(errors);
  return { startsAt, endsAt };
}
