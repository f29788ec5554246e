import {
  type InboundCall,
  isSignedBy,
  parseExactJson,
  type Reader,
  readerOf,
  Unreadable,
} from '../../platform/inbound/index.ts';
import { round, toText } from '../../platform/money.ts';
import { type ProofContext, sentText } from '../contract.ts';

/** Fields of the order, one behind the other; the signature comes in the body. */
export function prove(call: InboundCall, { settings }: ProofContext): boolean {
  try {
    const body = readerOf(parseExactJson(call.body));
    // The key is public and only part of what is signed: where it is not set, the one that comes along does as well.
    const publicKey = settings.merchant_code ?? sentText(body.at('order', 'merchantPublicKey'));
    return isSignedBy({
      key: settings.webhook_secret ?? '',
      signed: [publicKey, signedTextOf(body)],
      given: sentText(body.at('signature')),
      encoding: 'base64',
    });
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** Two digits whatever the currency. Older callbacks have no time, and sign none. */
export function signedTextOf(body: Reader): string {
  const order = body.at('order');
  const amount = toText(round(order.at('amount').getDecimal(), 2));
  const names = ['currency', 'orderId', 'status', 'merchantReferenceId'];
  return amount + names.map((name) => sentText(order.at(name))).join('') + sentText(body.at('timeStamp'));
}
