import type { Tx } from '../../platform/database/index.ts';
import { authoriseInSandbox } from '../../providers/contract.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { stateAfter } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { columnsOf, paymentOf, tokenHash } from './sandbox-driver.ts';
import { findSandboxPayment, lockSandboxPayment, type SandboxRow, updateSandboxPayment } from './sql/sandbox.ts';
import { lockWithOrder, writeState } from './write-state.ts';

const LONGEST_TOKEN = 100;

/** The payment as the customer sees it: expired after its time, even before the sweep has written that. */
export async function findOpenPage(
  { sql, clock, allowsSandbox }: PaymentContext,
  token: string,
): Promise<SandboxRow | undefined> {
  if (!allowsSandbox || token.length > LONGEST_TOKEN) return undefined;
  const row = await findSandboxPayment(sql, tokenHash(token));
  return row && shown(row, clock.now());
}

function shown(row: SandboxRow, now: Date): SandboxRow {
  return row.status === 'created' && row.expires_at <= now ? { ...row, status: 'expired' } : row;
}

/** The button of the page. What a real provider would send as a webhook is written directly. */
export async function authorisePayment(
  tx: Tx,
  payments: PaymentContext,
  token: string,
): Promise<{ isAuthorised: boolean; payment: SandboxRow } | undefined> {
  if (!payments.allowsSandbox || token.length > LONGEST_TOKEN) return undefined;
  const found = await findSandboxPayment(tx, tokenHash(token));
  if (found === undefined) return undefined;
  const key = { organizationId: found.organization_id, id: found.id };
  const locked = await lockWithOrder(tx, key);
  const row = await lockSandboxPayment(tx, key);
  if (row === undefined) return undefined;
  const now = payments.clock.now();
  const outcome = authoriseInSandbox(paymentOf(row), now);
  if (!outcome.ok) return { isAuthorised: false, payment: shown(row, now) };
  const columns = columnsOf(outcome.payment);
  await updateSandboxPayment(tx, row, columns);
  if (locked !== undefined) {
    const { amount, currency, status } = outcome.payment;
    const reported = { status, amount, currency, capturedAmount: undefined, refundedAmount: undefined };
    await writeState(tx, payments, locked, stateAfter(locked.row, reported), {
      actor: SYSTEM_ACTOR,
      action: 'authorise',
    });
  }
  return { isAuthorised: true, payment: { ...row, ...columns } };
}
