import type { Queryable, Sql } from '../../../platform/database/index.ts';
import type { Stage } from './queue.ts';

/** A call with a valid signature, to be stored. */
export type Received = {
  id: string;
  organizationId: string;
  installId: string;
  /** Of the settings that verified it. Nothing is stored for an install that has changed since, or is removed or disabled. */
  installVersion: number;
  appSlug: string;
  /** The stage that it begins at. */
  stage: Stage;
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** What makes two deliveries one. */
  delivery: Buffer;
  receivedAt: Date;
  /** Until when the same delivery is the same. */
  expiresAt: Date;
};

/**
 * Keeps calls of any number of installs in one statement: the bytes, the place in the queue, and the receipt by which a
 * repeat is known. Returns the staging id of each, an earlier one for a repeat, and nothing for an install that is no longer
 * as it was. No two of them may be the same delivery.
 *
 * The bodies go as one value, each cut out of it by the server: an array of them would be sent as text of twice the size.
 */
export async function insertReceived(sql: Queryable, calls: readonly Received[]): Promise<(string | undefined)[]> {
  const rows = calls.map((call) => ({
    id: call.id,
    organization_id: call.organizationId,
    install_id: call.installId,
    version: call.installVersion,
    app_slug: call.appSlug,
    stage: call.stage,
    method: call.method,
    path: call.path,
    query: call.query,
    headers: call.headers,
    bytes: call.body.length,
    delivery: call.delivery.toString('hex'),
    received_at: call.receivedAt,
    expires_at: call.expiresAt,
  }));
  const kept = await sql<{ key: string; staging_id: string }[]>`
    with input as materialized (
      select i.*, decode(i.delivery, 'hex') as delivery_key,
             (sum(i.bytes) over (order by i.n) - i.bytes)::int as skipped
      from rows from (
        json_to_recordset(${JSON.stringify(rows)}::text::json) as
          (id uuid, organization_id uuid, install_id uuid, version int, app_slug text, stage text, method text, path text, query json,
           headers json, bytes int, delivery text, received_at timestamptz, expires_at timestamptz)
      ) with ordinality as i (id, organization_id, install_id, version, app_slug, stage, method, path, query, headers, bytes,
                              delivery, received_at, expires_at, n)
    ), live as materialized (
      select i.* from input i
      join app_installs a on a.organization_id = i.organization_id and a.id = i.install_id
        and a.version = i.version and a.enabled
    ), receipts as (
      insert into staging_receipts as r
        (organization_id, organization_app_id, delivery, staging_id, received_at, expires_at)
      select organization_id, install_id, delivery_key, id, received_at, expires_at from live
      order by organization_id, install_id, delivery_key
      on conflict (organization_id, organization_app_id, delivery) do update set
        staging_id = case when r.expires_at <= excluded.received_at then excluded.staging_id else r.staging_id end,
        received_at = case when r.expires_at <= excluded.received_at then excluded.received_at else r.received_at end,
        expires_at = case when r.expires_at <= excluded.received_at then excluded.expires_at else r.expires_at end
      returning r.organization_app_id, r.delivery, r.staging_id
    ), fresh as materialized (
      -- By the id it was given: by the delivery, the planner would compare each with each.
      select l.* from live l where l.id in (select staging_id from receipts)
    ), stored as (
      insert into staged_payloads
        (organization_id, organization_app_id, id, app_slug, method, path, query, headers, payload, delivery, received_at)
      select organization_id, install_id, id, app_slug, method, path, query, headers,
             substring(${Buffer.concat(calls.map(({ body }) => body))} from skipped + 1 for bytes), delivery_key, received_at
      from fresh
    ), queued as (
      insert into staging_queue (organization_app_id, staging_id, organization_id, app_slug, stage, received_at, due_at, bytes)
      select install_id, id, organization_id, app_slug, stage, received_at, received_at, bytes from fresh
    )
    select organization_app_id || ' ' || encode(delivery, 'hex') as key, staging_id from receipts`;
  const stagingIds = new Map(kept.map((row) => [row.key, row.staging_id]));
  return rows.map(({ install_id, delivery }) => stagingIds.get(`${install_id} ${delivery}`));
}

export async function dropExpiredReceipts(sql: Sql, now: Date, limit: number): Promise<number> {
  const dropped = await sql`
    delete from staging_receipts where ctid = any(array(
      select ctid from staging_receipts where expires_at <= ${now} limit ${limit}))`;
  return dropped.count;
}
