import { type InboundCall, parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import { roundToCurrency, toText } from '../../platform/money.ts';
import { isSignedByFields, type SignatureContext, sentText } from '../contract.ts';

/** Some fields are signed in a fixed order, the amount with the digits of its currency. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedByFields(() => ({
    key: settings.webhook_secret ?? '',
    signed: [signedTextOf(readerOf(parseExactJson(call.body)))],
    given: call.headers.hashstring,
    encoding: 'hex',
  }));
}

export function signedTextOf(body: Reader): string {
  const currency = sentText(body.at('currency'));
  const money = `x_id${sentText(body.at('id'))}x_amount${toText(roundToCurrency(body.at('amount').getDecimal(), currency))}x_currency${currency}`;
  const status = `x_status${sentText(body.at('status'))}`;
  if (sentText(body.at('object')) === 'invoice')
    return `${money}x_updated${sentText(body.at('updated'))}${status}x_created${sentText(body.at('created'))}`;
  // A refund has its own time; charges and authorisations have that of their transaction.
  const created = sentText(body.at('transaction', 'created')) || sentText(body.at('created'));
  return `${money}x_gateway_reference${sentText(body.at('reference', 'gateway'))}x_payment_reference${sentText(body.at('reference', 'payment'))}${status}x_created${created}`;
}
