import {
  type InboundCall,
  isSignedBy,
  parseExactJson,
  type Reader,
  readerOf,
  Unreadable,
} from '../../platform/inbound/index.ts';
import { round, toText } from '../../platform/money.ts';
import { type SignatureContext, sentText } from '../contract.ts';

/** Fields of the order, one behind the other; the signature comes in the body. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  try {
    const body = readerOf(parseExactJson(call.body));
    // Installs from before it was required may lack it. Their callbacks are stored and fail with that reason, instead of
    // being refused unseen: nothing is believed without being read back, which takes the key.
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

/**
 * Two digits whatever the currency. Older callbacks have no time, and sign none. Nothing separates the fields, so 50.00 of a key
 * that ends in 12 is signed like 1250.00: the signature shows who calls, not what was paid.
 */
export function signedTextOf(body: Reader): string {
  const order = body.at('order');
  const amount = toText(round(order.at('amount').getDecimal(), 2));
  const names = ['currency', 'orderId', 'status', 'merchantReferenceId'];
  return amount + names.map((name) => sentText(order.at(name))).join('') + sentText(body.at('timeStamp'));
}
