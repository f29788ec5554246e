import { type Credentials, VendorUnavailable } from '../../channels/contract.ts';
import { Unreadable } from '../../platform/inbound/index.ts';

/** What an answer says. One that cannot be read is the provider's own trouble, and what was asked for may have been done. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) throw new VendorUnavailable(`The answer cannot be read: ${error.message}`, true);
    throw error;
  }
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
