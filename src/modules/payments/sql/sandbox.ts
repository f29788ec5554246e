import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { PaylinkStatus } from '../../../providers/contract.ts';

export type SandboxRow = {
  organization_id: string;
  id: string;
  token_hash: Buffer;
  provider: string;
  status: PaylinkStatus;
  amount: number;
  currency: string;
  captured_amount: number;
  refunded_amount: number;
  capture_references: string[];
  expires_at: Date;
  created: Date;
};

const columns = (sql: Queryable) => sql`
  organization_id, id, token_hash, provider, status, amount, currency, captured_amount, refunded_amount, capture_references,
  expires_at, created`;

export async function insertSandboxPayment(tx: Tx, row: SandboxRow): Promise<void> {
  await tx`
    insert into sandbox_payments (organization_id, id, token_hash, provider, status, amount, currency, captured_amount,
                                  refunded_amount, capture_references, expires_at, created)
    values (${row.organization_id}, ${row.id}, ${row.token_hash}, ${row.provider}, ${row.status}, ${row.amount},
            ${row.currency}, ${row.captured_amount}, ${row.refunded_amount}, ${row.capture_references}::text[],
            ${row.expires_at}, ${row.created})`;
}

/** By the token alone: the URL of the page names no organization. */
export async function findSandboxPayment(sql: Queryable, hash: Buffer): Promise<SandboxRow | undefined> {
  const [row] = await sql<SandboxRow[]>`select ${columns(sql)} from sandbox_payments where token_hash = ${hash}`;
  return row;
}

export async function lockSandboxPayment(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<SandboxRow | undefined> {
  const [row] = await tx<SandboxRow[]>`
    select ${columns(tx)} from sandbox_payments where organization_id = ${organizationId} and id = ${id} for update`;
  return row;
}

export async function updateSandboxPayment(
  tx: Tx,
  { organization_id, id }: SandboxRow,
  after: Pick<SandboxRow, 'status' | 'captured_amount' | 'refunded_amount' | 'capture_references'>,
): Promise<void> {
  await tx`
    update sandbox_payments set status = ${after.status}, captured_amount = ${after.captured_amount},
      refunded_amount = ${after.refunded_amount}, capture_references = ${after.capture_references}::text[]
    where organization_id = ${organization_id} and id = ${id}`;
}
