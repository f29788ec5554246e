import { type Credentials, VendorUnavailable } from '../../channels/contract.ts';
import { Unreadable } from '../../platform/inbound/index.ts';

/** Parses a response. One that cannot be parsed is an error of the provider, and the request may have been carried out. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw new VendorUnavailable(`The answer cannot be read: ${error.message}`, true);
    throw error;
  }
}

/** The transaction in the response to a read-back; without one the provider counts as unavailable. */
export function transactionIn<T>(read: () => T | undefined): T {
  const found = understood(read);
  if (found === undefined) throw new VendorUnavailable('The answer is not about a payment', false);
  return found;
}

export function bearer(token: string | undefined, setting: string): Credentials {
  if (token === undefined) return { kind: 'missing', setting };
  return { kind: 'headers', headers: { authorization: `Bearer ${token}` } };
}

export function basic(user: string, password: string): Credentials {
  return {
    kind: 'headers',
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
  };
}
