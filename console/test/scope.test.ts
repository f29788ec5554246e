import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDukkan, type DukkanOptions } from '../../sdk/src/index.ts';
import { type Account, identityOf } from '../src/platform/account.ts';
import { scopeClient, scopeToken } from '../src/platform/scoped-client.ts';

let handle: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => handle(request, response));
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clientOf = (signal: AbortSignal, options: Partial<DukkanOptions>) =>
  scopeClient(createDukkan({ baseUrl, ...options }), signal);

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** What a promise has come to, once everything that is due has run. */
async function stateOf(promise: Promise<unknown>): Promise<'pending' | 'resolved' | 'rejected'> {
  await new Promise((resolve) => setImmediate(resolve));
  const settled = promise.then(
    () => 'resolved' as const,
    () => 'rejected' as const,
  );
  return await Promise.race([settled, new Promise<'pending'>((resolve) => setImmediate(() => resolve('pending')))]);
}

describe('the API client of a scope', () => {
  it.each(['getOrganization', 'createBranch'])(
    '%s: is cancelled with the scope, and neither succeeds nor fails',
    async (operation) => {
      const ended = new AbortController();
      const arrived = Promise.withResolvers<void>();
      const cut = Promise.withResolvers<void>();
      handle = (_request, response) => {
        response.on('close', () => cut.resolve());
        arrived.resolve();
      };
      const client = clientOf(ended.signal, { retries: 2 });
      const called = client.call(operation as 'getOrganization', {});
      await arrived.promise;
      ended.abort();
      await cut.promise;
      expect(await stateOf(called)).toBe('pending');
    },
  );

  it('drops a response whose body is still arriving when the scope ends', async () => {
    const ended = new AbortController();
    const written = Promise.withResolvers<void>();
    handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"name_en":', () => written.resolve());
    };
    const called = clientOf(ended.signal, {}).call('getOrganization', {});
    await written.promise;
    ended.abort();
    expect(await stateOf(called)).toBe('pending');
  });

  it('sends no request after its scope has ended, even with a new token', async () => {
    const ended = new AbortController();
    const asked: string[] = [];
    const refused = Promise.withResolvers<void>();
    const next = Promise.withResolvers<string>();
    handle = (request, response) => {
      asked.push(String(request.headers.authorization));
      answer(response, 401, { code: 401, error: 'Unauthorized' });
    };
    const token = (before?: string) => {
      if (before === undefined) return 'first';
      refused.resolve();
      return next.promise;
    };
    const client = clientOf(ended.signal, { token, retries: 2 });
    const called = client.call('getOrganization', {});
    await refused.promise;
    ended.abort();
    next.resolve('second');
    expect(await stateOf(called)).toBe('pending');
    expect(asked).toEqual(['Bearer first']);
  });

  it('looks for no token after its scope has ended', async () => {
    const ended = new AbortController();
    const refusals: unknown[] = [];
    const token = scopeToken(ended.signal, async (refused) => {
      refusals.push(refused);
      return 'second';
    });
    expect(await token('first')).toBe('second');
    ended.abort();
    expect(await stateOf(token('second'))).toBe('pending');
    expect(refusals).toEqual(['first']);
  });

  it('passes on answers, refusals and cancellation by the caller while the scope is open', async () => {
    const client = clientOf(new AbortController().signal, { retries: 0 });
    handle = (_request, response) => answer(response, 200, { name_en: 'Shop' });
    await expect(client.call('getOrganization', {})).resolves.toEqual({ name_en: 'Shop' });
    handle = (_request, response) => answer(response, 403, { code: 403, error: 'Forbidden' });
    await expect(client.call('getOrganization', {})).rejects.toMatchObject({ status: 403 });
    const caller = new AbortController();
    handle = () => caller.abort(new Error('not wanted'));
    await expect(client.call('getOrganization', { signal: caller.signal })).rejects.toThrow('not wanted');
  });
});

describe('an identity', () => {
  const organization = { id: 'o', role: 'member', branch_id: null, grants: ['read:Orders', 'read:Branches'] };
  const accountOf = (id: string) =>
    ({ user: { id, operator_type: 'Merchant' }, organizations: [organization] }) as unknown as Account;
  const at = (change: object) => ({ ...organization, ...change }) as unknown as Account['organizations'][number];

  it.each([
    ['another user', accountOf('b'), at({}), false],
    ['another organization', accountOf('a'), at({ id: 'p' }), false],
    ['a grant that was withheld', accountOf('a'), at({ grants: ['read:Orders'] }), false],
    ['a branch that it was confined to', accountOf('a'), at({ branch_id: 'x' }), false],
    ['the same grants in another order', accountOf('a'), at({ grants: ['read:Branches', 'read:Orders'] }), true],
    ['another name of the organization', accountOf('a'), at({ name_en: 'New' }), true],
  ])('with %s', (_what, account, then, isSame) => {
    expect(identityOf(account, then) === identityOf(accountOf('a'), at({}))).toBe(isSame);
  });
});
