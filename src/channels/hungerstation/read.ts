import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { findStatus, normaliseOrder, revisionOfOrder } from './normalise.ts';

export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  const word = payload.at('status').findText() ?? 'order';
  // Results of catalog and promotion jobs are sent to the same URL.
  if (payload.at('job_id').isThere() && !payload.at('order_id').isThere()) return { kind: 'ignored', event: 'job' };
  if (payload.at('payment').isThere() || payload.at('items').isThere()) return normaliseOrder(payload, context);
  const orderId = payload.at('order_id').getId();
  const status = findStatus(payload);
  if (status === undefined) return { kind: 'ignored', event: word, orderId };
  return { kind: 'change', event: word, orderId, revision: revisionOfOrder(payload), status };
}
