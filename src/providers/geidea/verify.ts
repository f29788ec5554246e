import { type InboundCall, parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { round, toText } from '../../platform/money.ts';
import { isSignedByFields, type SignatureContext, sentText } from '../contract.ts';

/** Concatenated fields of the order; the signature is in the body. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedByFields(() => {
    const body = readerOf(parseExactJson(call.body));
    // Installs from before it was required may lack it. Their callbacks are stored and fail with that reason instead of being
    // rejected: nothing is trusted without a read-back, which needs the key.
    const publicKey = settings.merchant_code ?? sentText(body.at('order', 'merchantPublicKey'));
    return {
      key: settings.webhook_secret ?? '',
      signed: [publicKey, signedTextOf(body)],
      given: sentText(body.at('signature')),
      encoding: 'base64',
    };
  });
}

/**
 * Two digits for any currency. Older callbacks have no time and sign none. The fields have no separators, so 50.00 with a key that
 * ends in 12 has the signature of 1250.00: the signature authenticates the sender, not the amount.
 */
export function signedTextOf(body: Reader): string {
  const order = body.at('order');
  const amount = toText(round(order.at('amount').getDecimal(), 2));
  const names = ['currency', 'orderId', 'status', 'merchantReferenceId'];
  return amount + names.map((name) => sentText(order.at(name))).join('') + sentText(body.at('timeStamp'));
}
