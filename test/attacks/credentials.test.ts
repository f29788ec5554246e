import { afterEach, describe, expect, test } from 'vitest';
import { ACCESS_TOKEN, APPS, openCredentialShop, type Slug } from './testing/credential-shop.ts';
import { tokenOf } from './testing/vendor-hosts.ts';

const { ask, sql, vendor, elsewhere, otherPort, callers, as, install, push, change, settingsOf, ...hosts } =
  await openCredentialShop();
const { expectNothingStolen, forgetCalls } = hosts;

afterEach(forgetCalls);

const newAddresses = (): [string, string | null][] => [
  ['another host', elsewhere.origin],
  ['another port of the same host', otherPort.origin],
  ['another host with a path', `${elsewhere.origin}/admin`],
  ['another host behind user information', `${vendor.origin.replace('https://', 'https://x@')}`],
  ['the vendor as user information', `https://127.0.0.1:${vendor.port}@127.0.0.3:${elsewhere.port}`],
  ['another host behind a backslash', `${vendor.origin}\\@127.0.0.3:${elsewhere.port}`],
  ['the default host of the app', null],
  ['the default host of the app, by an empty address', ''],
];

describe.each(Object.keys(APPS) as Slug[])('%s', (slug) => {
  const { secret, setting, settings } = APPS[slug];
  const mask = `••••${secret.slice(-4)}`;

  test.each(newAddresses())('PATCH api_base_url to %s alone is refused for every caller', async (_what, address) => {
    const id = await install(slug);
    const before = await settingsOf(id);
    for (const [who, caller] of Object.entries(callers)) {
      const statuses = new Set<number>();
      for (const more of [{}, { [setting]: mask }, { ...before, api_base_url: undefined }]) {
        statuses.add((await change(id, { ...more, api_base_url: address }, caller)).status);
      }
      expect([who, ...statuses]).toEqual([who, who === 'owner' ? 422 : 403]);
    }
    expect(await settingsOf(id)).toEqual(before);
    expect((await push(id)).body.data.forwarded_to).toBe(slug);
    expect(vendor.hasSeen(secret)).toBe(true);
    await expectNothingStolen(secret);
  });

  test('after every attempt of every caller, calls carry the secret to the vendor and to no other host', async () => {
    const id = await install(slug);
    for (const caller of Object.values(callers)) {
      for (const [, address] of newAddresses()) {
        for (const more of [{}, { [setting]: mask }]) await change(id, { ...more, api_base_url: address }, caller);
        await push(id);
      }
    }
    expect(vendor.hasSeen(secret)).toBe(true);
    await expectNothingStolen(secret);
  });

  test('422 names the secret that has to be sent again', async () => {
    const id = await install(slug);
    const { status, body } = await change(id, { api_base_url: elsewhere.origin });
    expect([status, body.details]).toEqual([422, { [`settings.${setting}`]: expect.stringContaining(vendor.origin) }]);
  });

  test('a new address with a new secret: the other host gets the new one and never the old one', async () => {
    const id = await install(slug);
    await push(id);
    const moved = await change(id, { api_base_url: elsewhere.origin, [setting]: 'GIVEN-FOR-THE-NEW-HOST' });
    expect(moved.status, moved.text).toBe(200);
    expect((await push(id)).body.data.forwarded_to).toBe(slug);
    expect(elsewhere.hasSeen('GIVEN-FOR-THE-NEW-HOST')).toBe(true);
    await expectNothingStolen(secret);
  });

  test('a new address with the secret dropped: calls stop instead of going out with it', async () => {
    const id = await install(slug);
    const moved = await change(id, { api_base_url: elsewhere.origin, [setting]: null });
    expect(moved.status, moved.text).toBe(200);
    expect((await push(id)).body.data).toMatchObject({
      forwarded_to: null,
      not_forwarded: expect.stringContaining(setting),
    });
    expect(elsewhere.requests).toEqual([]);
  });

  test('an address for the first time is a new one for secrets of the default host', async () => {
    const id = await install(slug, { api_base_url: undefined });
    const { status, body } = await change(id, { api_base_url: elsewhere.origin });
    expect([status, Object.keys(body.details)]).toEqual([422, [`settings.${setting}`]]);
    const taken = await change(id, { api_base_url: elsewhere.origin, [setting]: 'GIVEN-FOR-THE-NEW-HOST' });
    expect(taken.status, taken.text).toBe(200);
  });

  test('a path of the same origin needs no secret', async () => {
    const id = await install(slug);
    expect((await change(id, { api_base_url: `${vendor.origin}/v9` })).status).toBe(200);
    expect((await push(id)).body.data.forwarded_to).toBe(slug);
    expect(vendor.requests.every(({ path }) => path.startsWith('/v9/'))).toBe(true);
  });

  test.each([301, 302, 303, 307, 308])('a redirect (%i) to another host is not followed', async (status) => {
    const id = await install(slug);
    vendor.respondWith(({ path }, response) =>
      response.writeHead(status, { location: `${elsewhere.origin}${path}` }).end(),
    );
    expect((await push(id)).status).toBe(502);
    expect(vendor.requests.length).toBeGreaterThan(0);
    expect([elsewhere.requests, otherPort.requests]).toEqual([[], []]);
  });

  test.each(['a call that waits for its answer', 'a call that is refused and made again'])(
    'a change of address during %s leaves that call at the old host',
    async (what) => {
      const id = await install(slug);
      const held: (() => void)[] = [];
      const answer = what.includes('refused') ? 503 : 200;
      let hasFailed = false;
      vendor.respondWith(({ path }, response) => {
        const isToken = /\/oauth\/token$/.test(path);
        const status = isToken || hasFailed ? 200 : answer;
        if (!isToken) hasFailed = true;
        const json = isToken ? { access_token: tokenOf(`127.0.0.1:${vendor.port}`) } : {};
        held.push(() => response.writeHead(status).end(JSON.stringify(json)));
      });
      const running = push(id);
      await expect.poll(() => held.length).toBeGreaterThan(0);
      const moved = await change(id, { api_base_url: elsewhere.origin, [setting]: 'GIVEN-FOR-THE-NEW-HOST' });
      expect(moved.status, moved.text).toBe(200);
      let isOver = false;
      void running.then(() => {
        isOver = true;
      });
      await expect
        .poll(() => {
          for (const letGo of held.splice(0)) letGo();
          return isOver;
        })
        .toBe(true);
      await running;
      await expectNothingStolen(secret);
      await push(id);
      expect(elsewhere.hasSeen('GIVEN-FOR-THE-NEW-HOST')).toBe(true);
      await expectNothingStolen(secret);
    },
  );

  test('an install with secrets or an address is made by owners alone', async () => {
    for (const [who, caller] of Object.entries(callers)) {
      for (const given of [settings, { ...settings, api_base_url: elsewhere.origin }]) {
        const { status, body } = await as(caller, 'POST /apps', { app_slug: slug, settings: given });
        expect([who, status]).toEqual([who, who === 'owner' ? 201 : 403]);
        if (who !== 'owner') expect(body.details).toMatchObject({ role: 'owner is required' });
      }
    }
  });

  test('a stored row whose address was changed behind the rules is not called with its secrets', async () => {
    const id = await install(slug);
    const other = await install(slug, { api_base_url: elsewhere.origin, [setting]: 'OF-THE-OTHER-ONE' });
    // What a faulty writer could do: the settings of one host beside the origins of another.
    await sql`
      update app_installs set secret_origins = (select secret_origins from app_installs where id = ${other})
      where id = ${id}`;
    expect((await push(id)).body.data).toMatchObject({
      forwarded_to: null,
      not_forwarded: expect.stringContaining(elsewhere.origin),
    });
    expect(vendor.requests).toEqual([]);
    // The owner gives it again, and it is bound to where it goes.
    expect((await change(id, { [setting]: secret })).status).toBe(200);
    expect((await push(id)).body.data.forwarded_to).toBe(slug);
  });

  test('a row of before origins were kept is bound to the one it has', async () => {
    const id = await install(slug);
    await sql`update app_installs set secret_origins = null where id = ${id}`;
    expect((await push(id)).body.data.forwarded_to).toBe(slug);
    expect((await change(id, { api_base_url: elsewhere.origin })).status).toBe(422);
    await push(id);
    await expectNothingStolen(secret);
  });
});

describe('spellings of a host', () => {
  const NAME = 'https://shop.example.com';

  test.each([
    ['in capitals', 'https://SHOP.example.COM'],
    ['with the usual port', 'https://shop.example.com:443'],
    ['with a slash', 'https://shop.example.com/'],
  ])('200: the same host %s is the same origin', async (_what, address) => {
    const id = await install('salla', { api_base_url: NAME });
    expect((await change(id, { api_base_url: address })).status).toBe(200);
  });

  test.each([
    ['with a dot at its end', 'https://shop.example.com.'],
    ['with a letter of another alphabet', 'https://sh\u043ep.example.com'],
    ['in full-width letters', 'https://\uff53hop.example.com'],
    ['with an ideographic dot', 'https://shop\u3002example.com'],
    ['as user information', 'https://shop.example.com@evil.example.net'],
    ['as a password', 'https://a:shop.example.com@evil.example.net'],
    ['before an encoded slash', 'https://shop.example.com%2f.evil.example.net'],
    ['as a part of another name', 'https://shop.example.com.evil.example.net'],
    ['without encryption', 'http://shop.example.com'],
  ])('422: a host that looks like it %s', async (_what, address) => {
    const id = await install('salla', { api_base_url: NAME });
    expect((await change(id, { api_base_url: address })).status).toBe(422);
    expect((await settingsOf(id)).api_base_url).toBe(NAME);
  });
});

describe('apps that send webhook_secret to the vendor', () => {
  test.each([
    ['tap-sync', {}],
    ['paytabs-sync', { client_id: '7' }],
    ['geidea-sync', { merchant_code: 'public' }],
  ])('%s: a new address needs it as well', async (app_slug, more) => {
    const settings = { webhook_secret: 'one key for both', api_base_url: vendor.origin, ...more };
    const { id } = (await ask('POST /apps', { body: { app_slug, settings } })).body.data;
    const { status, body } = await change(id, { api_base_url: elsewhere.origin });
    expect([status, Object.keys(body.details)]).toEqual([422, ['settings.webhook_secret']]);
    const given = await change(id, { api_base_url: elsewhere.origin, webhook_secret: 'one key for both' });
    expect(given.status, given.text).toBe(200);
  });
});

describe('what others than owners may', () => {
  const OTHERS = ['member', 'viewer', 'key'] as const;

  test.each(OTHERS)('%s: settings that are neither address nor secret, and what was shown sent back', async (who) => {
    const id = await install('salla');
    const shown = await settingsOf(id);
    const changed = await change(
      id,
      { ...shown, completed_means: 'dispatched', time_zone: 'Asia/Dubai' },
      callers[who],
    );
    expect(changed.status, changed.text).toBe(200);
    expect((await as(callers[who], `PATCH /apps/${id}`, { enabled: false })).status).toBe(200);
    const plain = { app_slug: 'jahez', settings: { time_zone: 'Asia/Riyadh' } };
    expect((await as(callers[who], 'POST /apps', plain)).status).toBe(201);
  });

  test.each(OTHERS)('%s: 403 for each address and each secret, whether it differs or not', async (who) => {
    const id = await install('salla');
    const square = { webhook_secret: 's', notification_url: 'https://old.example.com/' };
    const other = (await ask('POST /apps', { body: { app_slug: 'square', settings: square } })).body.data.id;
    for (const [target, settings] of [
      [id, { access_token: ACCESS_TOKEN }],
      [id, { access_token: 'another' }],
      [id, { access_token: null }],
      [id, { webhook_secret: 'another' }],
      [id, { api_base_url: `${vendor.origin}/path` }],
      [other, { notification_url: 'https://new.example.com/' }],
      [other, { notification_url: null }],
    ] as const) {
      const { status, body, headers } = await change(target, settings, callers[who]);
      expect([settings, status, headers.get('x-error-reason')]).toEqual([settings, 403, 'owner-required']);
      expect(body.details).toEqual({
        role: 'owner is required',
        [`settings.${Object.keys(settings)[0]}`]: expect.any(String),
      });
    }
  });
});
