import { findReference, type Notice, readerOfCall, type StagedCall } from '../contract.ts';

/** The body is the current payment. A dispute has an id too, but no amount and currency. */
export function readNotice(call: StagedCall): Notice {
  const payment = readerOfCall(call);
  const status = payment.at('status').findText()?.toLowerCase();
  if (status === undefined || !payment.at('currency').isThere()) return { kind: 'ignored', event: status ?? 'unknown' };
  return {
    kind: 'payment',
    event: `payment.${status.slice(0, 50)}`,
    providerReference: payment.at('id').getId(),
    ownId: findReference(payment.at('order', 'reference_id')),
  };
}
