import { findReference, type Notice, type PaylinkStatus, readerOfCall, type StagedCall } from '../contract.ts';

/** MP00 paid, MP01 expired, MP02 cancelled, MP03 refunded in full or in part. Sent once, without retries. */
export function readNotice(call: StagedCall): Notice {
  const notice = readerOfCall(call);
  const code = notice.at('code').findText()?.toUpperCase().slice(0, 20);
  if (code === undefined || !/^MP\d\d$/.test(code)) return { kind: 'ignored', event: code ?? 'unknown' };
  return {
    kind: 'payment',
    event: code,
    providerReference: notice.at('checkoutId').getId(),
    ownId: findReference(notice.at('orderId')),
    claims: claimOf(code, notice.at('isFullyRefunded').findFlag()),
  };
}

/** Tracking a checkout shows the payment but not a later refund. */
function claimOf(code: string, isFullyRefunded: boolean | undefined): PaylinkStatus | undefined {
  if (code === 'MP03') return isFullyRefunded === true ? 'refunded' : undefined;
  return code === 'MP01' || code === 'MP02' ? 'cancelled' : undefined;
}
