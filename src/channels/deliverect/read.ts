import { findInstant, revisionOf } from '../../platform/inbound/index.ts';
import { type ParsedPayload, type ReadContext, readerOfCall, type StagedCall } from '../contract.ts';
import { findStatus, idOf, normaliseOrder } from './normalise.ts';

/** Orders and status updates share one URL; a payload with neither items nor a payment is an update. */
export function read(call: StagedCall, context: ReadContext): ParsedPayload {
  const payload = readerOfCall(call);
  if (payload.at('items').isThere() || payload.at('payment').isThere()) return normaliseOrder(payload, context);
  const word = payload.at('status').findText() ?? 'notice';
  // Events about a location, such as registered or paused.
  if (!/^\d{1,4}$/.test(word)) return { kind: 'ignored', event: word.slice(0, 100) };
  const code = Number(word);
  const [orderId, status] = [idOf(payload), findStatus(code)];
  const event = `status.${code}`;
  if (status === undefined) return { kind: 'ignored', event, orderId };
  const changedAt = findInstant(payload.at('timeStamp').findText(), 'UTC');
  return { kind: 'change', event, orderId, revision: changedAt && revisionOf(changedAt), status };
}
