import { afterEach, beforeAll } from 'vitest';
import type { AppSettings, Credentials, VendorCall } from '../../../channels/contract.ts';
import { movableClock } from '../../../platform/clock.ts';
import { createLoopback, HOST, type Loopback } from '../../../platform/outbound/testing/loopback.ts';
import { type Respond, startReceiver } from '../../../platform/outbound/testing/receiver.ts';
import { createVendorCaller, type VendorCallerOptions } from '../vendor-client.ts';

export const GET: VendorCall = { method: 'GET', path: '/orders/7' };
export const POST: VendorCall = { method: 'POST', path: '/orders/7/status', json: { slug: 'delivered' } };
export const SECRET = 'sk_live_very_secret';

/** A local vendor with TLS and the client that calls it; one per test file. */
export function vendorCalls() {
  let loopback: Loopback;

  beforeAll(async () => {
    loopback = await createLoopback();
  });

  afterEach(async () => {
    await loopback.closeAll();
  });

  const clock = movableClock(new Date('2026-11-15T12:00:00Z'));

  function callerTo(
    port: number,
    options: Partial<VendorCallerOptions> & { settings?: AppSettings; path?: string } = {},
  ) {
    const { settings = {}, path = '', ...rest } = options;
    const caller = createVendorCaller({ sender: loopback.openSender(), clock, ...rest });
    const at = { api_base_url: `https://${HOST}:${port}${path}`, ...settings };
    const install = (id = 'i1', organizationId = 'o1', more: AppSettings = {}) => ({
      id,
      organizationId,
      settings: { ...at, ...more },
      secretOrigins: null,
    });
    const bearer = (): Credentials => ({ kind: 'headers', headers: { authorization: `Bearer ${SECRET}` } });
    return { caller, install, client: caller.clientFor(install(), { app: {}, credentials: bearer }) };
  }

  async function vendor(respond: Respond) {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, respond));
    return { receiver, ...callerTo(receiver.port) };
  }

  return { clock, callerTo, vendor, loopback: () => loopback };
}
