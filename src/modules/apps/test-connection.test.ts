import { describe, expect, test } from 'vitest';
import {
  MissingCredentials,
  type VendorCall,
  type VendorClient,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { CHANNELS } from '../../channels/list.ts';
import { findApp } from './catalog.ts';
import { newInstall } from './manage-installs.ts';
import { testConnection } from './test-connection.ts';
import type { CallLimits } from './vendor-client.ts';

const installOf = (slug: string, settings = {}) => {
  const app = findApp(slug);
  if (app === undefined) throw new Error(`no app ${slug}`);
  return newInstall(app, { organizationId: 'o1', settings, now: new Date() });
};
const answering = (answer: () => { status: number; json: unknown }): VendorClient => ({ call: async () => answer() });
const refusing = (error: Error) =>
  answering(() => {
    throw error;
  });

describe('testConnection', () => {
  test('is ok with the status of the vendor, within limits of its own', async () => {
    const asked: (CallLimits | undefined)[] = [];
    const client = answering(() => ({ status: 200, json: {} }));
    const result = await testConnection(installOf('salla'), (_install, limits) => {
      asked.push(limits);
      return client;
    });
    expect(result).toEqual({ ok: true, status_code: 200, duration_ms: expect.any(Number), message: '' });
    expect(asked).toEqual([{ withinMs: 10_000, maxBytes: 512 * 1024, maxValues: 10_000 }]);
  });

  test.each<[Error, number | null, string]>([
    [new VendorRefused(401, 'Invalid token'), 401, 'Invalid token'],
    [new VendorUnavailable('timeout', false), null, 'timeout'],
    [new MissingCredentials('access_token'), null, 'The setting access_token is needed to call the vendor'],
    [new VendorRefused(403, 'x'.repeat(2_000)), 403, 'x'.repeat(500)],
  ])('is not ok, with the reason: %s', async (error, status_code, message) => {
    const result = await testConnection(installOf('salla'), () => refusing(error));
    expect(result).toEqual({ ok: false, status_code, duration_ms: expect.any(Number), message });
  });

  test('passes on errors that are not the vendor’s', async () => {
    await expect(testConnection(installOf('salla'), () => refusing(new TypeError('a mistake')))).rejects.toThrow(
      TypeError,
    );
  });

  test('returns 409 for apps without such a call', async () => {
    const attempt = testConnection(installOf('generic'), () => answering(() => ({ status: 200, json: {} })));
    await expect(attempt).rejects.toMatchObject({ status: 409, message: 'App has no connection test' });
  });

  test.each(CHANNELS.filter(({ probe }) => probe !== undefined).map((channel) => [channel.app.slug, channel] as const))(
    'reads once and changes nothing: %s',
    async (_slug, { probe }) => {
      const calls: VendorCall[] = [];
      const client: VendorClient = {
        async call(call) {
          calls.push(call);
          return { status: 200, json: {} };
        },
      };
      await probe?.(client, { api_base_url: 'https://shop.example' });
      expect(calls).toEqual([expect.objectContaining({ method: 'GET', path: expect.stringMatching(/^\//) })]);
    },
  );
});
