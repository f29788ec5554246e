import { type InboundCall, isSameSecret, parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The secret of the webhook registration is in the body. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const secret = findField(call, 'secret_token');
  return isSameSecret(secret, settings.webhook_secret ?? '');
}

export function findDeliveryId(call: InboundCall): string | undefined {
  // Without a type the body is a payment, whose id is equal for all its events.
  const id = findField(call, 'type') === undefined ? undefined : findField(call, 'id');
  return id !== undefined && /^[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}

function findField(call: InboundCall, name: string): string | undefined {
  try {
    const { value } = readerOf(parseExactJson(call.body)).at(name);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
