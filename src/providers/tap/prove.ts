import {
  type InboundCall,
  isSignedBy,
  parseExactJson,
  type Reader,
  readerOf,
  Unreadable,
} from '../../platform/inbound/index.ts';
import { roundToCurrency, toText } from '../../platform/money.ts';
import type { ProofContext } from '../contract.ts';

/** Some fields are signed, in an order of their own, the amount with the digits of its currency. */
export function prove(call: InboundCall, { settings }: ProofContext): boolean {
  try {
    const signed = signedTextOf(readerOf(parseExactJson(call.body)));
    return isSignedBy({
      key: settings.webhook_secret ?? '',
      signed: [signed],
      given: call.headers.hashstring,
      encoding: 'hex',
    });
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

export function signedTextOf(body: Reader): string {
  const currency = textAt(body, 'currency');
  const money = `x_id${textAt(body, 'id')}x_amount${toText(roundToCurrency(body.at('amount').getDecimal(), currency))}x_currency${currency}`;
  const status = `x_status${textAt(body, 'status')}`;
  if (textAt(body, 'object') === 'invoice')
    return `${money}x_updated${textAt(body, 'updated')}${status}x_created${textAt(body, 'created')}`;
  // A refund has its own time, charges and authorisations that of their transaction.
  const created = textAt(body, 'transaction', 'created') || textAt(body, 'created');
  return `${money}x_gateway_reference${textAt(body, 'reference', 'gateway')}x_payment_reference${textAt(body, 'reference', 'payment')}${status}x_created${created}`;
}

/** As it was sent: what is cleaned or cut is no longer what was signed. */
function textAt(body: Reader, ...steps: string[]): string {
  const { value } = body.at(...steps);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
