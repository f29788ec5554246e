import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { conflict, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { refuseBrokenHalalas, sarText } from '../../../platform/http/sar-amount.ts';
import { isId } from '../../../platform/ids.ts';
import { findInstalledIds, lockInstallOwner } from '../../apps/index.ts';
import { type Author, changedFields, recordAudit } from '../../audit/index.ts';
import { serviceNotFound } from './save-service.ts';
import type { AssignmentChangeShape, NewAssignmentShape } from './schema.ts';
import {
  type AssignmentRow,
  type ChargeableAssignment,
  deleteAssignment,
  insertAssignment,
  listActiveAssignments,
  lockAssignment,
  updateAssignment,
} from './sql/assignments.ts';
import { holdService, type ServiceRow } from './sql/services.ts';

const AUDITED = [
  'service_id',
  'price_sar',
  'quantity',
  'status',
  'starts_at',
] as const satisfies (keyof AssignmentRow)[];

export async function assignService(
  tx: Tx,
  input: NewAssignmentShape,
  author: Author,
  now: Date,
): Promise<AssignmentRow> {
  refuseBrokenHalalas({ price_sar: input.price_sar });
  const { organization_app_id } = input;
  const organizationId = isId(organization_app_id) ? await lockInstallOwner(tx, organization_app_id) : undefined;
  if (organizationId === undefined) throw appNotFound(organization_app_id);
  const service = await getOffered(tx, input.service_id);
  const row: AssignmentRow = {
    organization_id: organizationId,
    organization_app_id: organization_app_id.toLowerCase(),
    service_id: service.id,
    price_sar: input.price_sar === undefined ? service.price_sar : sarText(input.price_sar),
    quantity: input.quantity ?? 1,
    status: 'active',
    starts_at: parseInstant(input.starts_at ?? '') ?? now,
    created: now,
    updated: now,
  };
  if (!(await insertAssignment(tx, row))) throw alreadyAssigned(organization_app_id);
  const entry = { action: 'assign-service', resource: 'Apps', resourceId: row.organization_app_id };
  await recordAudit(tx, organizationId, author, [entry], now);
  return row;
}

/** Another service has its own catalog price, unless the request sets one. */
export async function changeAssignment(
  tx: Tx,
  organizationAppId: string,
  change: AssignmentChangeShape,
  author: Author,
  now: Date,
): Promise<AssignmentRow> {
  refuseBrokenHalalas({ price_sar: change.price_sar });
  const before = await getAssignment(tx, organizationAppId);
  const service =
    change.service_id === undefined || change.service_id.toLowerCase() === before.service_id
      ? undefined
      : await getOffered(tx, change.service_id);
  const after: AssignmentRow = {
    ...before,
    service_id: service?.id ?? before.service_id,
    price_sar: change.price_sar === undefined ? (service?.price_sar ?? before.price_sar) : sarText(change.price_sar),
    quantity: change.quantity ?? before.quantity,
    status: change.status ?? before.status,
    starts_at: parseInstant(change.starts_at ?? '') ?? before.starts_at,
  };
  const fields = changedFields(AUDITED, comparable(before), comparable(after));
  if (fields.length === 0) return before;
  const saved = { ...after, updated: now };
  await updateAssignment(tx, saved);
  const entry = { action: 'update-service', resource: 'Apps', resourceId: before.organization_app_id };
  await recordAudit(tx, before.organization_id, author, [{ ...entry, changedFields: fields }], now);
  return saved;
}

export async function unassignService(
  tx: Tx,
  organizationAppId: string,
  author: Author,
  now: Date,
): Promise<AssignmentRow> {
  const row = await getAssignment(tx, organizationAppId);
  await deleteAssignment(tx, row);
  const entry = { action: 'unassign-service', resource: 'Apps', resourceId: row.organization_app_id };
  await recordAudit(tx, row.organization_id, author, [entry], now);
  return row;
}

/** Those that are active, of apps that are still installed. */
export async function listChargeableAssignments(
  sql: Queryable,
  organizationId: string,
): Promise<ChargeableAssignment[]> {
  const assigned = await listActiveAssignments(sql, organizationId);
  if (assigned.length === 0) return [];
  const ids = assigned.map(({ organizationAppId }) => organizationAppId);
  const installed = await findInstalledIds(sql, organizationId, ids);
  return assigned.filter(({ organizationAppId }) => installed.has(organizationAppId));
}

async function getAssignment(tx: Tx, organizationAppId: string): Promise<AssignmentRow> {
  const row = isId(organizationAppId) ? await lockAssignment(tx, organizationAppId) : undefined;
  if (row === undefined) throw assignmentNotFound(organizationAppId);
  return row;
}

async function getOffered(tx: Tx, id: string): Promise<ServiceRow> {
  const service = isId(id) ? await holdService(tx, id) : undefined;
  if (service === undefined) throw serviceNotFound(id);
  if (!service.is_active) throw unprocessable({ service_id: 'is a service that is not active' });
  return service;
}

function comparable(row: AssignmentRow): AssignmentRow {
  return { ...row, price_sar: sarText(Number(row.price_sar)) };
}

export function appNotFound(organizationAppId: string) {
  return notFound('App not found', { organization_app_id: organizationAppId });
}

export function assignmentNotFound(organizationAppId: string) {
  return notFound('Assignment not found', { organization_app_id: organizationAppId });
}

export function alreadyAssigned(organizationAppId: string) {
  return conflict('App already has a service', { organization_app_id: organizationAppId });
}
