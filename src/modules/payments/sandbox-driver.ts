import { createHash, randomBytes } from 'node:crypto';
import { inTransaction } from '../../platform/database/index.ts';
import { decimal, toNumber } from '../../platform/money.ts';
import {
  type BnplProvider,
  cancelInSandbox,
  captureInSandbox,
  openInSandbox,
  type PaylinkDriver,
  type SandboxOutcome,
  type SandboxPayment,
  VendorRefused,
} from '../../providers/contract.ts';
import type { PaymentContext } from './payment-context.ts';
import { insertSandboxPayment, lockSandboxPayment, type SandboxRow, updateSandboxPayment } from './sql/sandbox.ts';

const TOKEN_BYTES = 32;

export const sandboxPath = (token: string) => `/api/v1/sandbox/paylinks/${token}`;
export const tokenHash = (token: string) => createHash('sha256').update(token).digest();

export function paymentOf(row: SandboxRow): SandboxPayment {
  return {
    status: row.status,
    amount: decimal(row.amount),
    currency: row.currency,
    capturedAmount: decimal(row.captured_amount),
    refundedAmount: decimal(row.refunded_amount),
    captureReferences: row.capture_references,
    expiresAt: row.expires_at,
  };
}

const REASONS: Readonly<Record<Extract<SandboxOutcome, { ok: false }>['reason'], string>> = {
  wrong_state: 'The payment is in a state that does not allow this',
  beyond_amount: 'The amount is more than is left',
  whole_only: 'The provider captures no part',
};

/** The sandbox behind the contract of real providers. No transaction may be open. */
export function sandboxDriver(
  { sql, clock }: PaymentContext,
  provider: BnplProvider,
  { organizationId, baseUrl }: { organizationId: string; baseUrl: string },
): PaylinkDriver {
  return {
    async createPaylink({ ownId, amount, currency }) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const now = clock.now();
      const payment = openInSandbox(provider, { amount, currency, now });
      await inTransaction(sql, (tx) =>
        insertSandboxPayment(tx, {
          organization_id: organizationId,
          id: ownId,
          token_hash: tokenHash(token),
          provider: provider.id,
          ...columnsOf(payment),
          currency,
          amount: toNumber(amount),
          expires_at: payment.expiresAt,
          created: now,
        }),
      );
      return { providerReference: ownId, url: `${baseUrl}${sandboxPath(token)}`, expiresAt: payment.expiresAt };
    },
    async readPayment(id) {
      const payment = await change(id, (found) => ({ ok: true, payment: found }));
      const isOver = payment.status === 'created' && payment.expiresAt <= clock.now();
      const { amount, currency, capturedAmount, refundedAmount } = payment;
      return { status: isOver ? 'expired' : payment.status, amount, currency, capturedAmount, refundedAmount };
    },
    async capture({ providerReference, amount, referenceId }) {
      await change(providerReference, (found) => captureInSandbox(provider, found, { amount, referenceId }));
    },
    async cancel({ providerReference }) {
      await change(providerReference, cancelInSandbox);
      return true;
    },
  };

  function change(id: string, rule: (payment: SandboxPayment) => SandboxOutcome): Promise<SandboxPayment> {
    return inTransaction(sql, async (tx) => {
      const row = await lockSandboxPayment(tx, { organizationId, id });
      if (row === undefined) throw new VendorRefused(404, 'There is no such payment');
      const before = paymentOf(row);
      const outcome = rule(before);
      if (!outcome.ok) throw new VendorRefused(409, REASONS[outcome.reason]);
      if (outcome.payment !== before) await updateSandboxPayment(tx, row, columnsOf(outcome.payment));
      return outcome.payment;
    });
  }
}

export function columnsOf(payment: SandboxPayment) {
  return {
    status: payment.status,
    captured_amount: toNumber(payment.capturedAmount),
    refunded_amount: toNumber(payment.refundedAmount),
    capture_references: [...payment.captureReferences],
  };
}
