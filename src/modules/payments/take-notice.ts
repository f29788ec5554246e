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
import type { Paying } from './paying.ts';
import { isOtherPayment, isPaid, type Paylink, stateAfter } from './paylink.ts';
import { keyOf } from './read-back.ts';
import { findPaylink, findPaylinkByReference } from './sql/paylinks.ts';
import type { StagedCallOf } from './staged-call.ts';
import { isPriceOf, lockWithOrder, writeState } from './write-state.ts';

const IGNORED: OtherOutcome = { outcome: 'ignored', orderId: null, error: null };

/** A webhook of a provider is a hint: the payment is read back, and that alone is believed. */
export async function prepareNotice(
  paying: Paying,
  provider: BnplProvider,
  install: Install,
  { call, context }: StagedCallOf,
  client: VendorClient,
): Promise<PreparedPayload> {
  const notice = provider.readNotice(call, context);
  const { event } = notice;
  // The pretended provider writes its news itself and sends none.
  if (notice.kind === 'ignored' || install.settings.sandbox === true) {
    return { event, externalOrderId: null, apply: async () => IGNORED };
  }
  const { providerReference } = notice;
  const row = await findOurs(paying, provider, install, notice);
  // A shop takes payments elsewhere too, under the same account.
  if (row === undefined) return { event, externalOrderId: providerReference, apply: async () => IGNORED };
  if (!row.is_made) throw new VendorUnavailable('the payment link is still being made', false);
  const asked = await provider.live.readPayment(row.provider_reference ?? providerReference, client);
  if (isOtherPayment(row, asked)) throw amountMismatch('The provider has another amount or currency');
  const told: ProviderPayment = { ...asked, status: believed(row, asked.status, notice.claims) };
  return {
    event,
    externalOrderId: providerReference,
    async apply(tx) {
      const held = await lockWithOrder(tx, keyOf(row));
      if (held === undefined) return IGNORED;
      const state = stateAfter(held.row, told);
      if (held.order !== undefined && isPaid(state, row.amount) && !isPriceOf(row, held.order)) {
        throw amountMismatch('The order costs something else by now');
      }
      const after = await writeState(tx, paying, held, state, { actor: SYSTEM_ACTOR, action: 'update' });
      return { outcome: after === held.row ? 'unchanged' : 'updated', orderId: row.order_id, error: null };
    },
  };
}

async function findOurs(
  { sql }: Paying,
  provider: BnplProvider,
  { organization_id: organizationId }: Install,
  { providerReference, ownId }: Extract<Notice, { kind: 'payment' }>,
): Promise<Paylink | undefined> {
  const key = { organizationId, provider: provider.id, reference: providerReference };
  const known = await findPaylinkByReference(sql, key);
  if (known !== undefined || !isId(ownId)) return known;
  const own = await findPaylink(sql, { organizationId, id: ownId });
  return own?.provider === provider.id ? own : undefined;
}

/** What only the notice says, where what was read back does not speak against it. */
function believed(row: Paylink, asked: PaylinkStatus, claimed: PaylinkStatus | undefined): PaylinkStatus {
  if (claimed === 'refunded' && (asked === 'authorized' || asked === 'captured') && row.captured_amount > 0) {
    return 'refunded';
  }
  return claimed === 'cancelled' && asked === 'created' ? 'cancelled' : asked;
}

function amountMismatch(message: string): Unreadable {
  return new Unreadable('amount_mismatch', message, 'amount');
}
