import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../../platform/http/paging.ts';

/** The part of a payee that lists show: never the full account number. */
export type PayeeRow = { id: string; partner_id: string; name: string; email: string; iban_masked: string };
export type SealedPayee = PayeeRow & { iban: Buffer };

export function listPayees(sql: Queryable, partnerId: string | undefined, cap: number): Promise<PayeeRow[]> {
  return sql<PayeeRow[]>`
    select id, partner_id, name, email, iban_masked from partner_users
    where ${partnerId === undefined ? sql`true` : sql`partner_id = ${partnerId}`} order by id limit ${cap}`;
}

export async function countPayees(sql: Queryable, partnerId: string | undefined): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from partner_users
    where ${partnerId === undefined ? sql`true` : sql`partner_id = ${partnerId}`}`;
  return row?.total ?? 0;
}

export async function isPayee(tx: Tx, partnerId: string, id: string): Promise<boolean> {
  const found = await tx`select 1 from partner_users where partner_id = ${partnerId} and id = ${id}`;
  return found.length > 0;
}

export async function lockPayee(tx: Tx, partnerId: string, email: string): Promise<SealedPayee | undefined> {
  const [row] = await tx<SealedPayee[]>`
    select id, partner_id, name, email, iban, iban_masked from partner_users
    where partner_id = ${partnerId} and lower(email) = lower(${email}) for update`;
  return row;
}

export async function lockPayeeById(tx: Tx, id: string): Promise<SealedPayee | undefined> {
  const [row] = await tx<SealedPayee[]>`
    select id, partner_id, name, email, iban, iban_masked from partner_users where id = ${id} for update`;
  return row;
}

export async function insertPayee(tx: Tx, payee: SealedPayee, now: Date): Promise<void> {
  await tx`insert into partner_users ${tx({ ...payee, created: now, updated: now })}`;
}

export async function updatePayee(
  tx: Tx,
  { id, name, email, iban, iban_masked }: SealedPayee,
  now: Date,
): Promise<void> {
  await tx`update partner_users set ${tx({ name, email, iban, iban_masked, updated: now })} where id = ${id}`;
}

export type PayoutRow = {
  id: string;
  partner_id: string;
  partner_user_id: string;
  amount_sar: string;
  /** YYYY-MM */
  period: string;
  bank_reference: string;
  paid_at: Date;
  proof_key: string | null;
  created_by: string;
  created: Date;
};

const columns = (sql: Queryable) => sql`
  id, partner_id, partner_user_id, amount_sar::text, to_char(period, 'YYYY-MM') as period, bank_reference, paid_at, proof_key,
  created_by, created`;

const ofPartner = (sql: Queryable, partnerId: string | undefined) =>
  partnerId === undefined ? sql`true` : sql`partner_id = ${partnerId}`;

export async function listPayouts(
  sql: Queryable,
  partnerId: string | undefined,
  paging: Paging,
): Promise<{ rows: PayoutRow[]; total: number }> {
  const rows = await sql<PayoutRow[]>`
    select ${columns(sql)} from partner_commissions where ${ofPartner(sql, partnerId)}
    order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from partner_commissions where ${ofPartner(sql, partnerId)}`;
  return { rows, total: counted?.total ?? 0 };
}

export async function findPayout(sql: Queryable, id: string): Promise<PayoutRow | undefined> {
  const [row] = await sql<PayoutRow[]>`select ${columns(sql)} from partner_commissions where id = ${id}`;
  return row;
}

export async function insertPayout(tx: Tx, payout: PayoutRow): Promise<void> {
  await tx`insert into partner_commissions ${tx({ ...payout, period: `${payout.period}-01` })}`;
}
