import { isId } from '../../platform/ids.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import {
  type BnplProvider,
  type Notice,
  type PaylinkStatus,
  type ProviderPayment,
  type VendorClient,
  VendorUnavailable,
} from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import type { OtherOutcome, PreparedPayload } from '../staging/index.ts';
import { isConfirmed, isOtherPayment, isPaid, type Paylink, stateAfter } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { keyOf } from './read-back.ts';
import { findPaylinkByReference, findPaylinkInAnyState } from './sql/paylinks.ts';
import type { StagedCallOf } from './staged-call.ts';
import { isPriceOf, lockWithOrder, writeState } from './write-state.ts';

const IGNORED: OtherOutcome = { outcome: 'ignored', orderId: null, error: null };

/** A provider's webhook only triggers a read-back; only the payment that was read back is trusted. */
export async function prepareNotice(
  payments: PaymentContext,
  provider: BnplProvider,
  install: Install,
  { call, context }: StagedCallOf,
  client: VendorClient,
): Promise<PreparedPayload> {
  const notice = provider.readNotice(call, context);
  const { event } = notice;
  // The sandbox provider writes its state directly and sends no webhooks.
  if (notice.kind === 'ignored' || install.settings.sandbox === true) {
    return { event, externalOrderId: null, apply: async () => IGNORED };
  }
  const { providerReference } = notice;
  const row = await findOurs(payments, provider, install, notice);
  // A merchant may take payments outside Dukkan with the same provider account.
  if (row === undefined) return { event, externalOrderId: providerReference, apply: async () => IGNORED };
  const asked = await provider.live.readPayment(row.provider_reference ?? providerReference, client);
  if (isOtherPayment(row, asked)) throw amountMismatch('The provider has another amount or currency');
  const reported: ProviderPayment = { ...asked, status: believed(row, asked.status, notice.claims) };
  return {
    event,
    externalOrderId: providerReference,
    async apply(tx) {
      const locked = await lockWithOrder(tx, keyOf(row));
      if (locked === undefined) return IGNORED;
      const state = stateAfter(locked.row, reported);
      if (locked.order !== undefined && isPaid(state, row.amount) && !isPriceOf(row, locked.order)) {
        throw amountMismatch('The order costs something else by now');
      }
      const after = await writeState(tx, payments, locked, state, { actor: SYSTEM_ACTOR, action: 'update' });
      return { outcome: after === locked.row ? 'unchanged' : 'updated', orderId: row.order_id, error: null };
    },
  };
}

/** Rejects as a transient error if the webhook is faster than the write of our own call. */
async function findOurs(
  { sql }: PaymentContext,
  provider: BnplProvider,
  { organization_id: organizationId }: Install,
  { providerReference, ownId }: Extract<Notice, { kind: 'payment' }>,
): Promise<Paylink | undefined> {
  const key = { organizationId, provider: provider.id, reference: providerReference };
  const known = await findPaylinkByReference(sql, key);
  if (known !== undefined || !isId(ownId)) return known;
  const own = await findPaylinkInAnyState(sql, { organizationId, id: ownId });
  if (own?.provider !== provider.id) return undefined;
  if (!isConfirmed(own)) throw new VendorUnavailable('the payment link is still being created', false);
  return own;
}

/** Adds a status that only the webhook reports, if the payment that was read back does not contradict it. */
function believed(row: Paylink, asked: PaylinkStatus, claimed: PaylinkStatus | undefined): PaylinkStatus {
  if (claimed === 'refunded' && (asked === 'authorized' || asked === 'captured') && row.captured_amount > 0) {
    return 'refunded';
  }
  return claimed === 'cancelled' && asked === 'created' ? 'cancelled' : asked;
}

function amountMismatch(message: string): Unreadable {
  return new Unreadable('amount_mismatch', message, 'amount');
}
