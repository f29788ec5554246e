import { describe, expect, it } from 'vitest';
import type { AppSettings, Credentials } from '../../channels/contract.ts';
import { GET, POST, SECRET, vendorCalls } from './testing/vendor-calls.ts';

const { clock, vendor } = vendorCalls();

describe('a token', () => {
  /** Gives out t1, t2, and so on, and takes those of `good`. */
  async function tokenVendor(livesForSeconds = 3600) {
    let given = 0;
    const good = new Set<string>();
    const { receiver, caller, install } = await vendor(({ path, headers }, response) => {
      if (path === '/token') {
        given += 1;
        good.add(`t${given}`);
        return response.end(JSON.stringify({ access_token: `t${given}` }));
      }
      const isGood = good.has(headers.authorization ?? '');
      return response.writeHead(isGood ? 200 : 401).end('{"message":"no"}');
    });
    const credentials = ({ client_secret = 's' }: AppSettings): Credentials => ({
      kind: 'token',
      request: { method: 'POST', path: '/token', form: { client_secret } },
      read: ({ json }) => ({
        headers: { authorization: (json as { access_token: string }).access_token },
        livesForSeconds,
      }),
    });
    const clientOf = (more?: AppSettings, id?: string) =>
      caller.clientFor(install(id, 'o1', more), { app: {}, credentials });
    return { receiver, good, clientOf, fetched: () => given };
  }

  it('is fetched once for fifty callers, and cached until a minute before it expires', async () => {
    const { receiver, clientOf, fetched } = await tokenVendor();
    await Promise.all(Array.from({ length: 50 }, () => clientOf().call(POST)));
    expect(fetched()).toBe(1);
    expect(receiver.requests).toHaveLength(51);
    clock.advanceMs(3539_000);
    await clientOf().call(POST);
    expect(fetched()).toBe(1);
    clock.advanceMs(2000);
    await clientOf().call(POST);
    expect(fetched()).toBe(2);
  });

  it('is cached for a day at most', async () => {
    const { clientOf, fetched } = await tokenVendor(1e9);
    await clientOf().call(GET);
    clock.advanceMs(86_399_000);
    await clientOf().call(GET);
    clock.advanceMs(2000);
    await clientOf().call(GET);
    expect(fetched()).toBe(2);
  });

  it('belongs to one install and one secret', async () => {
    const { clientOf, fetched } = await tokenVendor();
    for (const client of [clientOf(), clientOf({ client_secret: 'new' }), clientOf({}, 'i2'), clientOf()])
      await client.call(GET);
    expect(fetched()).toBe(3);
  });

  it('that the vendor rejects is fetched again, once for all callers', async () => {
    const { good, clientOf, fetched } = await tokenVendor();
    await clientOf().call(POST);
    good.clear();
    await Promise.all(Array.from({ length: 20 }, () => clientOf().call(POST)));
    expect(fetched()).toBe(2);
  });

  it('that is rejected even when new makes the call fail as refused', async () => {
    const { receiver, caller, install } = await vendor(({ path }, response) =>
      path === '/token' ? response.end('{}') : response.writeHead(401).end(`{"message":"bad ${SECRET}"}`),
    );
    const read = () => ({ headers: { authorization: `Bearer ${SECRET}` }, livesForSeconds: 3600 });
    const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path: '/token' }, read });
    await expect(caller.clientFor(install(), { app: {}, credentials }).call(POST)).rejects.toMatchObject({
      vendorStatus: 401,
      message: 'bad •••',
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/token', POST.path, '/token', POST.path]);
  });

  it('is awaited until the deadline of the call, and is cached for the next call when it arrives later', async () => {
    const answers: (() => void)[] = [];
    const { caller, install, receiver } = await vendor(({ path }, response) => {
      if (path === '/token') answers.push(() => response.end('{}'));
      else response.end('{}');
    });
    const read = () => ({ headers: {}, livesForSeconds: 3600 });
    const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path: '/token' }, read });
    const hurried = caller.clientFor(install(), { app: {}, credentials }, { withinMs: 3_000 });
    await expect(hurried.call(POST)).rejects.toMatchObject({ message: 'token: timeout', mayHaveArrived: false });
    const next = caller.clientFor(install(), { app: {}, credentials }).call(POST);
    for (const answer of answers) answer();
    expect(await next).toMatchObject({ status: 200 });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/token', POST.path]);
  });

  it('that lives for a minute is used for half of it', async () => {
    const { clientOf, fetched } = await tokenVendor(60);
    await clientOf().call(GET);
    clock.advanceMs(29_000);
    await clientOf().call(GET);
    expect(fetched()).toBe(1);
    clock.advanceMs(2000);
    await clientOf().call(GET);
    expect(fetched()).toBe(2);
  });

  it('that cannot be fetched fails the call before it is sent', async () => {
    const { receiver, caller, install } = await vendor(({ path }, response) =>
      response.writeHead(path === '/refused' ? 400 : path === '/down' ? 500 : 200).end('{"error":"invalid_client"}'),
    );
    const callBy = (path: string) => {
      const read = () => {
        throw new Error('none');
      };
      const credentials = (): Credentials => ({ kind: 'token', request: { method: 'POST', path }, read });
      return caller.clientFor(install(), { app: {}, credentials }).call(POST);
    };
    await expect(callBy('/refused')).rejects.toMatchObject({ vendorStatus: 400, message: 'invalid_client' });
    await expect(callBy('/down')).rejects.toMatchObject({ message: 'token: status 500', mayHaveArrived: false });
    await expect(callBy('/odd')).rejects.toMatchObject({
      message: 'token: the answer has none',
      mayHaveArrived: false,
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/refused', '/down', '/down', '/odd']);
  });
});
