import { findReference, type Notice, readerOfCall, type StagedCall } from '../contract.ts';

/** A registered webhook has `event_type`, the notification URL of a checkout gets `order_status`. `data` may be `[]`. */
export function readNotice(call: StagedCall): Notice {
  const notice = readerOfCall(call);
  const status = notice.at('order_status').findText();
  const event = (notice.at('event_type').findText() ?? (status && `order_${status}`) ?? 'unknown').slice(0, 60);
  if (!event.startsWith('order_')) return { kind: 'ignored', event };
  return {
    kind: 'payment',
    event,
    providerReference: notice.at('order_id').getId(),
    ownId: findReference(notice.at('order_reference_id')),
  };
}
