import { classifyDatabaseError, type Queryable, type Sql, type Tx } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import { conflict, notFound, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { isCurrency } from '../../../platform/money.ts';
import { isTimeZone } from '../../../platform/time-zone.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import {
  findOrganization,
  lockOrganizationRow,
  type OrganizationRow,
  type OrganizationSettings,
  readLocalTime,
  updateOrganizationRow,
} from '../sql/organizations.ts';
import { hasSecondFactor } from '../sql/second-factors.ts';

const VAT_NUMBER = /^3\d{13}3$/;

export async function getOrganization(sql: Queryable, id: string): Promise<OrganizationRow> {
  const row = isId(id) ? await findOrganization(sql, id) : undefined;
  if (row === undefined) throw notFound('Organization not found', { id });
  return row;
}

/** What was asked for in the form in which it is kept. */
export async function readOrganizationChange(
  sql: Sql,
  change: Partial<OrganizationSettings>,
  now: Date,
): Promise<Partial<OrganizationSettings>> {
  const wrong: Record<string, string> = {};
  for (const field of ['name_en', 'name_ar'] as const) {
    if (change[field]?.trim() === '') wrong[field] = 'must not be empty';
  }
  const { currency, vat_number: vatNumber, time_zone: timeZone } = change;
  if (currency !== undefined && !isCurrency(currency)) wrong.currency = 'must be a currency such as SAR';
  if (vatNumber !== undefined && vatNumber !== '' && !VAT_NUMBER.test(vatNumber)) {
    wrong.vat_number = 'must have 15 digits, 3 the first and the last of them';
  }
  if (timeZone !== undefined && !(await isKnownZone(sql, timeZone, now))) {
    wrong.time_zone = 'must be a time zone such as Asia/Riyadh';
  }
  if (Object.keys(wrong).length > 0) throw unprocessable(wrong);
  return currency === undefined ? change : { ...change, currency: currency.toUpperCase() };
}

async function isKnownZone(sql: Sql, name: string, now: Date): Promise<boolean> {
  if (!isTimeZone(name)) return false;
  try {
    await readLocalTime(sql, name, now);
    return true;
  } catch (error) {
    if (classifyDatabaseError(error).kind === 'unusable-value') return false;
    throw error;
  }
}

export type OrganizationChange = {
  change: Partial<OrganizationSettings>;
  /** Throws if the row is not the version that the caller has read. */
  checkVersion?: (row: OrganizationRow) => void;
};

export async function updateOrganization(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  { change, checkVersion }: OrganizationChange,
  now: Date,
): Promise<OrganizationRow> {
  const before = await lockOrganizationRow(tx, organizationId);
  if (before === undefined) throw notFound('Organization not found', { id: organizationId });
  checkVersion?.(before);
  const names = Object.keys(change) as (keyof OrganizationSettings)[];
  const changedFields = names.filter((name) => change[name] !== before[name]);
  if (changedFields.length === 0) return before;
  if (changedFields.includes('require_totp') && change.require_totp) await requireOwnSecondFactor(tx, actor);

  const row = await updateOrganizationRow(tx, organizationId, change, updatedAfter(before.updated, now));
  const entry = { action: 'update', resource: 'Settings', resourceId: organizationId, changedFields };
  await recordAudit(tx, organizationId, actor, [entry], now);
  return row;
}

/** A caller without a second factor who requires it would lock themselves out. */
async function requireOwnSecondFactor(tx: Tx, actor: Actor): Promise<void> {
  if (actor.kind !== 'user' || (await hasSecondFactor(tx, actor.id))) return;
  throw ownSecondFactorMissing();
}

export function ownSecondFactorMissing(): Problem {
  return conflict('Second factor required', { require_totp: 'set up a second factor for your own account first' });
}
