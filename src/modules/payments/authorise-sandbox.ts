import type { Tx } from '../../platform/database/index.ts';
import { authoriseInSandbox } from '../../providers/contract.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import type { Paying } from './paying.ts';
import { stateAfter } from './paylink.ts';
import { columnsOf, paymentOf, tokenHash } from './sandbox-driver.ts';
import { findSandboxPayment, lockSandboxPayment, type SandboxRow, updateSandboxPayment } from './sql/sandbox.ts';
import { lockWithOrder, writeState } from './write-state.ts';

const LONGEST_TOKEN = 100;

/** As the customer is to see it: one that waited too long is over, whether or not that is written down. */
export async function findOpenPage(
  { sql, clock, allowsSandbox }: Paying,
  token: string,
): Promise<SandboxRow | undefined> {
  if (!allowsSandbox || token.length > LONGEST_TOKEN) return undefined;
  const row = await findSandboxPayment(sql, tokenHash(token));
  return row && shown(row, clock.now());
}

function shown(row: SandboxRow, now: Date): SandboxRow {
  return row.status === 'created' && row.expires_at <= now ? { ...row, status: 'expired' } : row;
}

/** The button. What a real provider would tell by a webhook is written at once. */
export async function authorisePayment(
  tx: Tx,
  paying: Paying,
  token: string,
): Promise<{ isAuthorised: boolean; payment: SandboxRow } | undefined> {
  if (!paying.allowsSandbox || token.length > LONGEST_TOKEN) return undefined;
  const found = await findSandboxPayment(tx, tokenHash(token));
  if (found === undefined) return undefined;
  const key = { organizationId: found.organization_id, id: found.id };
  const held = await lockWithOrder(tx, key);
  const row = await lockSandboxPayment(tx, key);
  if (row === undefined) return undefined;
  const now = paying.clock.now();
  const outcome = authoriseInSandbox(paymentOf(row), now);
  if (!outcome.ok) return { isAuthorised: false, payment: shown(row, now) };
  const columns = columnsOf(outcome.payment);
  await updateSandboxPayment(tx, row, columns);
  if (held?.row.is_made) {
    const { amount, currency, status } = outcome.payment;
    const told = { status, amount, currency, capturedAmount: undefined, refundedAmount: undefined };
    await writeState(tx, paying, held, stateAfter(held.row, told), { actor: SYSTEM_ACTOR, action: 'authorise' });
  }
  return { isAuthorised: true, payment: { ...row, ...columns } };
}
