import { isConflictOn, type Queryable, type Tx } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import { conflict, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { refuseBrokenHalalas, sarText } from '../../../platform/http/sar-amount.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Author, OPERATOR_SCOPE, recordAudit, updateEntries } from '../../audit/index.ts';
import type { NewServiceShape, ServiceChangeShape } from './schema.ts';
import {
  countServices,
  findService,
  insertService,
  lockService,
  type ServiceFields,
  type ServiceRow,
  updateService,
} from './sql/services.ts';

/** The catalog is listed without pages. Concurrent writers may exceed this by one or two; the list has its own limit. */
export const MAX_SERVICES = 500;
const MAX_METADATA_CHARACTERS = 16_384;
const AUDITED = [
  'code',
  'name_en',
  'name_ar',
  'description',
  'price_sar',
  'vat_percent',
  'billing_cycle',
  'is_active',
  'metadata',
] as const satisfies (keyof ServiceFields)[];

export async function createService(tx: Tx, input: NewServiceShape, author: Author, now: Date): Promise<ServiceRow> {
  const { price_sar, vat_percent = 15, metadata = {} } = input;
  refuseUnusable(input);
  if ((await countServices(tx)) >= MAX_SERVICES) throw conflict('Too many services', { limit: MAX_SERVICES });
  const service: ServiceRow = {
    id: newId(),
    code: input.code,
    name_en: input.name_en,
    name_ar: input.name_ar ?? input.name_en,
    description: input.description ?? '',
    price_sar: sarText(price_sar),
    vat_percent: sarText(vat_percent),
    billing_cycle: input.billing_cycle ?? 'monthly',
    is_active: input.is_active ?? true,
    metadata,
    created: now,
    updated: now,
  };
  await insertService(tx, service).catch((error) => {
    throw isConflictOn(error, 'billable_services_code') ? codeTaken(input.code) : error;
  });
  const entry = { action: 'create', resource: 'Settings', resourceId: service.id };
  await recordAudit(tx, OPERATOR_SCOPE, author, [entry], now);
  return service;
}

/** Assignments keep the price they were made at. */
export async function changeService(
  tx: Tx,
  id: string,
  change: ServiceChangeShape,
  author: Author,
  now: Date,
  checkVersion: (before: ServiceRow) => void | Promise<void> = () => {},
): Promise<ServiceRow> {
  refuseUnusable(change);
  const before = isId(id) ? await lockService(tx, id) : undefined;
  if (before === undefined) throw serviceNotFound(id);
  await checkVersion(before);
  const { price_sar, vat_percent, ...rest } = change;
  const after: ServiceRow = {
    ...before,
    ...rest,
    price_sar: price_sar === undefined ? before.price_sar : sarText(price_sar),
    vat_percent: vat_percent === undefined ? before.vat_percent : sarText(vat_percent),
  };
  const entries = updateEntries('Settings', AUDITED, [
    { id: before.id, before: comparable(before), after: comparable(after) },
  ]);
  if (entries.length === 0) return before;
  const saved = { ...after, updated: updatedAfter(before.updated, now) };
  await updateService(tx, saved).catch((error) => {
    throw isConflictOn(error, 'billable_services_code') ? codeTaken(after.code) : error;
  });
  await recordAudit(tx, OPERATOR_SCOPE, author, entries, now);
  return saved;
}

export async function getService(sql: Queryable, id: string): Promise<ServiceRow> {
  const service = isId(id) ? await findService(sql, id) : undefined;
  if (service === undefined) throw serviceNotFound(id);
  return service;
}

export function serviceNotFound(id: string) {
  return notFound('Service not found', { id });
}

export function codeTaken(code: string) {
  return conflict('Service code already exists', { code });
}

/** The database returns 15 where the rule has 15.00. */
function comparable(service: ServiceRow): ServiceRow {
  const { price_sar, vat_percent } = service;
  return { ...service, price_sar: sarText(Number(price_sar)), vat_percent: sarText(Number(vat_percent)) };
}

function refuseUnusable({ price_sar, vat_percent, metadata }: ServiceChangeShape): void {
  refuseBrokenHalalas({ price_sar, vat_percent });
  if (metadata !== undefined && JSON.stringify(metadata).length > MAX_METADATA_CHARACTERS) {
    throw unprocessable({ metadata: `must have at most ${MAX_METADATA_CHARACTERS} characters as JSON` });
  }
}
