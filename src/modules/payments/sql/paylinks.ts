import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { Paylink, PaylinkRow, PaylinkState } from '../paylink.ts';
import type { CaptureOperation } from '../paylink-intent.ts';
import { isOfBranch } from './is-of-branch.ts';

const columns = (sql: Queryable) => sql`
  p.organization_id, p.id, p.provider, p.organization_app_id, p.order_id, p.status, p.amount, p.currency, p.url,
  p.provider_reference, p.session_reference, p.captured_amount, p.refunded_amount, p.is_sandbox, p.needs_phone,
  p.request_key, p.request_fingerprint, p.expires_at, p.look_at, p.created, p.updated`;

export type PaylinkKey = { organizationId: string; id: string };

/** An account confined to a branch sees paylinks of the orders of that branch only. */
const ofBranch = (sql: Queryable, organizationId: string, branchId: string | null) =>
  branchId === null ? sql`` : sql`and ${isOfBranch(sql, { organizationId, branchId }, sql`p.order_id`)}`;

export type NewPaylinkRow = Pick<
  Paylink,
  | 'organization_id'
  | 'id'
  | 'provider'
  | 'organization_app_id'
  | 'order_id'
  | 'amount'
  | 'currency'
  | 'is_sandbox'
  | 'request_key'
  | 'request_fingerprint'
  | 'created'
  | 'updated'
>;

/** Inserts a paylink with the status `creating`. False if a request under the same key is creating one already. */
export async function insertPaylink(tx: Tx, row: NewPaylinkRow): Promise<boolean> {
  const inserted = await tx`
    insert into paylinks (organization_id, id, provider, organization_app_id, order_id, amount, currency, is_sandbox,
                          status, request_key, request_fingerprint, created, updated)
    values (${row.organization_id}, ${row.id}, ${row.provider}, ${row.organization_app_id}, ${row.order_id}, ${row.amount},
            ${row.currency}, ${row.is_sandbox}, 'creating', ${row.request_key}, ${row.request_fingerprint}, ${row.created},
            ${row.updated})
    on conflict (organization_id, request_key) where request_key is not null do nothing
    returning 1`;
  return inserted.length > 0;
}

export type PastPaylinkRow = Pick<
  Paylink,
  | 'organization_id'
  | 'id'
  | 'provider'
  | 'organization_app_id'
  | 'order_id'
  | 'status'
  | 'amount'
  | 'currency'
  | 'url'
  | 'provider_reference'
  | 'captured_amount'
  | 'refunded_amount'
  | 'expires_at'
  | 'created'
  | 'updated'
>;

/** A paylink of the sandbox provider, in its current state. */
export async function insertPastPaylink(tx: Tx, row: PastPaylinkRow): Promise<void> {
  const isOpen = row.status === 'created' || row.status === 'authorized';
  await tx`
    insert into paylinks (organization_id, id, provider, organization_app_id, order_id, status, amount, currency,
                          url, provider_reference, captured_amount, refunded_amount, is_sandbox, expires_at, look_at,
                          created, updated)
    values (${row.organization_id}, ${row.id}, ${row.provider}, ${row.organization_app_id}, ${row.order_id},
            ${row.status}, ${row.amount}, ${row.currency}, ${row.url}, ${row.provider_reference}, ${row.captured_amount},
            ${row.refunded_amount}, true, ${row.expires_at}, ${isOpen ? row.expires_at : null}, ${row.created},
            ${row.updated})`;
}

/** By the key of the request that creates it. Rows of earlier releases keep the key after the response. */
export async function findPaylinkOfRequest(
  sql: Queryable,
  organizationId: string,
  requestKey: string,
): Promise<PaylinkRow | undefined> {
  const [row] = await sql<PaylinkRow[]>`
    select ${columns(sql)} from paylinks p
    where p.organization_id = ${organizationId} and p.request_key = ${requestKey}`;
  return row;
}

export async function forgetRequest(sql: Queryable, { organizationId, id }: PaylinkKey): Promise<void> {
  await sql`
    update paylinks set request_key = null, request_fingerprint = null
    where organization_id = ${organizationId} and id = ${id} and status <> 'creating'`;
}

export async function findPaylink(
  sql: Queryable,
  { organizationId, id }: PaylinkKey,
  branchId: string | null = null,
): Promise<Paylink | undefined> {
  const [row] = await sql<Paylink[]>`
    select ${columns(sql)} from paylinks p
    where p.organization_id = ${organizationId} and p.id = ${id} and p.status <> 'creating' ${ofBranch(sql, organizationId, branchId)}`;
  return row;
}

/** Including one that is being created. */
export async function findPaylinkInAnyState(
  sql: Queryable,
  { organizationId, id }: PaylinkKey,
): Promise<PaylinkRow | undefined> {
  const [row] = await sql<PaylinkRow[]>`
    select ${columns(sql)} from paylinks p
    where p.organization_id = ${organizationId} and p.id = ${id}`;
  return row;
}

export async function lockPaylink(tx: Tx, { organizationId, id }: PaylinkKey): Promise<Paylink | undefined> {
  const [row] = await tx<Paylink[]>`
    select ${columns(tx)} from paylinks p
    where p.organization_id = ${organizationId} and p.id = ${id} and p.status <> 'creating' for update`;
  return row;
}

/** By the provider's id of the payment, which a row has once it is confirmed. */
export async function findPaylinkByReference(
  sql: Queryable,
  { organizationId, provider, reference }: { organizationId: string; provider: string; reference: string },
): Promise<Paylink | undefined> {
  const [row] = await sql<Paylink[]>`
    select ${columns(sql)} from paylinks p
    where p.organization_id = ${organizationId} and p.provider = ${provider} and p.provider_reference = ${reference}
      and p.status <> 'creating'
    order by p.created desc limit 1`;
  return row;
}

/** The relevant paylink of an order at a provider: captured before authorized before the newest. */
export async function findPaylinkOfOrder(
  sql: Queryable,
  { organizationId, orderId, provider }: { organizationId: string; orderId: string; provider: string },
): Promise<Paylink | undefined> {
  const [row] = await sql<Paylink[]>`
    select ${columns(sql)} from paylinks p
    where p.organization_id = ${organizationId} and p.order_id = ${orderId} and p.provider = ${provider}
      and p.status <> 'creating'
    order by p.status in ('captured', 'refunded') desc, p.status = 'authorized' desc, p.created desc, p.id desc limit 1`;
  return row;
}

/** The other paylinks of an order, at any provider. */
export async function listSiblingIds(tx: Tx, { organization_id, id, order_id }: Paylink): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select p.id from paylinks p
    where p.organization_id = ${organization_id} and p.order_id = ${order_id} and p.id <> ${id} and p.status <> 'creating'`;
  return rows.map((row) => row.id);
}

export async function countPaylinksOfOrder(tx: Tx, organizationId: string, orderId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from paylinks where organization_id = ${organizationId} and order_id = ${orderId}`;
  return row?.total ?? 0;
}

export type PaylinkFilter = {
  organizationId: string;
  branchId: string | null;
  provider: string;
  orderId: string | undefined;
  status: string | undefined;
};

export async function listPaylinks(
  sql: Queryable,
  filter: PaylinkFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Paylink[]; total: number }> {
  const where = sql`
    p.organization_id = ${filter.organizationId} and p.provider = ${filter.provider} and p.status <> 'creating'
    ${filter.orderId === undefined ? sql`` : sql`and p.order_id = ${filter.orderId}`}
    ${filter.status === undefined ? sql`` : sql`and p.status = ${filter.status}`}
    ${ofBranch(sql, filter.organizationId, filter.branchId)}`;
  const rows = await sql<Paylink[]>`
    select ${columns(sql)} from paylinks p where ${where}
    order by p.created desc, p.id desc limit ${limit} offset ${offset}`;
  const [counted] = await sql<{ total: number }[]>`select count(*) as total from paylinks p where ${where}`;
  return { rows, total: counted?.total ?? 0 };
}

/** The provider has confirmed the payment: from here on the API shows it. */
export async function confirmPaylink(
  tx: Tx,
  { organizationId, id }: PaylinkKey,
  confirmed: {
    url: string;
    providerReference: string;
    sessionReference: string | null;
    needsPhone: boolean;
    expiresAt: Date;
    now: Date;
  },
): Promise<Paylink | undefined> {
  const [row] = await tx<Paylink[]>`
    update paylinks p set
      status = 'created', url = ${confirmed.url}, provider_reference = ${confirmed.providerReference},
      session_reference = ${confirmed.sessionReference}, needs_phone = ${confirmed.needsPhone},
      expires_at = ${confirmed.expiresAt}, look_at = ${confirmed.expiresAt},
      request_key = null, request_fingerprint = null, updated = ${confirmed.now}
    where p.organization_id = ${organizationId} and p.id = ${id} and p.status = 'creating'
    returning ${columns(tx)}`;
  return row;
}

/** The provider did not create it, so its page was shown to no customer. */
export async function deleteCreating(sql: Queryable, { organizationId, id }: PaylinkKey): Promise<void> {
  await sql`delete from paylinks where organization_id = ${organizationId} and id = ${id} and status = 'creating'`;
}

export async function updateState(
  tx: Tx,
  { organizationId, id }: PaylinkKey,
  state: PaylinkState,
  now: Date,
): Promise<Paylink> {
  const [row] = await tx<Paylink[]>`
    update paylinks p set status = ${state.status}, captured_amount = ${state.captured_amount},
                          refunded_amount = ${state.refunded_amount}, updated = ${now}
    where p.organization_id = ${organizationId} and p.id = ${id}
    returning ${columns(tx)}`;
  if (row === undefined) throw new Error('a paylink vanished under its lock');
  return row;
}

export async function insertCapture(tx: Tx, done: CaptureOperation, now: Date): Promise<void> {
  await tx`
    insert into paylink_captures (organization_id, paylink_id, id, amount, request_key, created)
    values (${done.organization_id}, ${done.subject_id}, ${done.id}, ${done.input.amount}, ${done.input.requestKey}, ${now})
    on conflict do nothing`;
}

/**
 * Whether this request has captured already, concurrently or without its response being stored. The key is valid for as long as the
 * idempotency store keeps keys, and only with the same body.
 */
export async function hasCaptureOfRequest(
  tx: Tx,
  { organizationId, id }: PaylinkKey,
  requestKey: string,
  since: Date,
): Promise<boolean> {
  const found = await tx`
    select from paylink_captures
    where organization_id = ${organizationId} and paylink_id = ${id} and request_key = ${requestKey}
      and created > ${since}`;
  return found.length > 0;
}

/** Paylinks whose page has expired, of all tenants, oldest first. */
export function listOverdue(sql: Queryable, now: Date, limit: number): Promise<Paylink[]> {
  return sql<Paylink[]>`
    select ${columns(sql)} from paylinks p
    where p.status = 'created' and p.look_at < ${now}
    order by p.look_at limit ${limit}`;
}

/** For a paylink whose state could not be learned now. */
export async function postponeCheck(sql: Queryable, { organizationId, id }: PaylinkKey, at: Date): Promise<void> {
  await sql`update paylinks set look_at = ${at} where organization_id = ${organizationId} and id = ${id}`;
}
