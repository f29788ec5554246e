export const STAGING_STATUSES = ['pending', 'processed', 'failed'] as const;
export type StagingStatus = (typeof STAGING_STATUSES)[number];
export type StagingOutcome = 'created' | 'updated' | 'unchanged' | 'ignored' | '';

/** Why a payload failed, or what is wrong with one that was processed. */
export type PayloadError = { code: string; message: string; path: string };

/** A row of staged_payloads. */
export type StagedPayload = {
  organization_id: string;
  organization_app_id: string;
  id: string;
  app_slug: string;
  event: string | null;
  external_order_id: string | null;
  status: StagingStatus;
  outcome: StagingOutcome;
  attempts: number;
  error_code: string | null;
  error_message: string | null;
  error_path: string | null;
  order_id: string | null;
  received_at: Date;
  processed_at: Date | null;
};

/** With the vendor's bytes and what came with them. */
export type StagedCallRow = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload: Buffer;
  /** What the vendor sent, once a person has mended the payload. */
  original_payload: Buffer | null;
  mended_by: string | null;
  mended_at: Date | null;
  fetched: Buffer | null;
};

export function stagedShape(row: StagedPayload) {
  return {
    id: row.id,
    organization_app_id: row.organization_app_id,
    app_slug: row.app_slug,
    event: row.event,
    external_order_id: row.external_order_id,
    status: row.status,
    outcome: row.outcome,
    attempts: row.attempts,
    error: errorOf(row),
    order_id: row.order_id,
    received_at: row.received_at.toISOString(),
    processed_at: row.processed_at?.toISOString() ?? null,
  };
}

function errorOf({ error_code, error_message, error_path }: StagedPayload): PayloadError | null {
  return error_code === null ? null : { code: error_code, message: error_message ?? '', path: error_path ?? '' };
}
