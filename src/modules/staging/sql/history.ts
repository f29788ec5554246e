import type { Tx } from '../../../platform/database/index.ts';
import type { StagedCallRow, StagedPayload } from '../staged-payload.ts';

export type HistoryRow = StagedPayload & Pick<StagedCallRow, 'headers'> & { payload: string };

/** Posts to the bare address, over and done with: neither a place in the queue nor a receipt. */
export async function insertHistory(tx: Tx, rows: readonly HistoryRow[]): Promise<void> {
  await tx`
    insert into staged_payloads
      (organization_id, organization_app_id, id, app_slug, method, path, query, headers, payload, event, external_order_id,
       status, outcome, attempts, error_code, error_message, error_path, order_id, received_at, processed_at)
    select organization_id, organization_app_id, id, app_slug, 'POST', '', '{}', headers, convert_to(payload, 'UTF8'), event,
           external_order_id, status, outcome, attempts, error_code, error_message, error_path, order_id, received_at, processed_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as
      (organization_id uuid, organization_app_id uuid, id uuid, app_slug text, headers json, payload text, event text,
       external_order_id text, status text, outcome text, attempts int, error_code text, error_message text, error_path text,
       order_id uuid, received_at timestamptz, processed_at timestamptz)`;
}

/** What was read elsewhere counts as read. */
export async function countHistory(
  tx: Tx,
  { processed, failed }: { processed: number; failed: number },
): Promise<void> {
  await tx`
    update staging_totals set processed = processed + ${processed}::int, failed = failed + ${failed}::int where slot = 0`;
}
