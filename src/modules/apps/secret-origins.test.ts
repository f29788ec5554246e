import { describe, expect, it } from 'vitest';
import { type AppSettings, type Credentials, SECRET_SETTINGS } from '../../channels/contract.ts';
import { APPS, findVendor } from './catalog.ts';
import { apiOriginOf, bindSecrets, findMisbound, requireBoundOrigins, sentSecretsOf } from './secret-origins.ts';

const SECRETS = { webhook_secret: 'WEBHOOK-SECRET', access_token: 'ACCESS-TOKEN', client_secret: 'CLIENT-SECRET' };
const PUBLIC = { client_id: 'client', merchant_code: 'merchant', chain_id: 'chain', shop_id: 'shop' };
const ELSEWHERE = 'https://elsewhere.example.com';

/** Settings that an app takes, with every choice of its secrets: some are used only where another is missing. */
function choicesOf(slug: string): AppSettings[] {
  const { settings } = APPS.find((app) => app.slug === slug) ?? { settings: [] };
  const taken = Object.entries({ ...SECRETS, ...PUBLIC }).filter(([name]) => settings.some((one) => one === name));
  const refreshToken = { access_token: `Atzr|${SECRETS.access_token}` };
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) => {
    const left = taken.filter(([name]) => {
      const place = (SECRET_SETTINGS as readonly string[]).indexOf(name);
      return place === -1 || (bits & (1 << place)) !== 0;
    });
    const chosen: AppSettings = Object.fromEntries(left);
    return chosen.access_token === undefined ? [chosen] : [chosen, { ...chosen, ...refreshToken }];
  });
}

const credentialsOf = (slug: string, settings: AppSettings) => findVendor(slug)?.credentials?.(settings);

/** All that a call, or the request for its token, carries; Basic headers decoded. */
function carriedBy(credentials: Credentials | undefined): string {
  const values = (part: unknown): string[] =>
    typeof part === 'string'
      ? [part, Buffer.from(part.replace(/^Basic /, ''), 'base64').toString('utf8')]
      : typeof part === 'object' && part !== null
        ? Object.values(part).flatMap(values)
        : [];
  return values(credentials).join('\n');
}

describe.each(APPS.map((app) => [app.slug, app] as const))('%s', (slug, app) => {
  it('declares every secret that its calls carry', () => {
    for (const settings of choicesOf(slug)) {
      const carried = carriedBy(credentialsOf(slug, settings));
      const sent = SECRET_SETTINGS.filter((name) => carried.includes(SECRETS[name]));
      expect(sentSecretsOf(app)).toEqual(expect.arrayContaining(sent));
      if (app.sendsWebhookSecret !== true) expect(carried).not.toContain(SECRETS.webhook_secret);
    }
  });

  it('fetches tokens from the origin of its calls or from the host that it declares', () => {
    const bases = [undefined, '', app.apiBaseUrl, ELSEWHERE, 'https://api.amazon.com', 'https://x.amazon.com:8443'];
    for (const chosen of choicesOf(slug)) {
      for (const api_base_url of bases) {
        const settings = { ...chosen, ...(api_base_url !== undefined && { api_base_url }) };
        const credentials = credentialsOf(slug, settings);
        const base = api_base_url || app.apiBaseUrl;
        if (credentials?.kind !== 'token' || base === undefined) continue;
        const install = { settings, secretOrigins: bindSecrets(app, settings) };
        const tokenBase = credentials.request.baseUrl;
        expect(() => requireBoundOrigins(app, install, { base, tokenBase })).not.toThrow();
        expect(() => requireBoundOrigins(app, install, { base, tokenBase: 'https://thief.example.com' })).toThrow(
          /is not sent to https:\/\/thief.example.com/,
        );
      }
    }
  });

  it('has no setting except api_base_url that changes the target of its calls', () => {
    for (const chosen of choicesOf(slug)) {
      const hostile = { ...chosen, chain_id: 'thief.example.com', shop_id: 'thief.example.com', client_id: '@thief' };
      expect(apiOriginOf(app, hostile)).toBe(apiOriginOf(app, chosen));
      const [plain, tried] = [credentialsOf(slug, chosen), credentialsOf(slug, hostile)];
      if (plain?.kind === 'token' && tried?.kind === 'token') {
        expect([tried.request.baseUrl, tried.request.path]).toEqual([plain.request.baseUrl, plain.request.path]);
      }
    }
  });

  it('refuses calls to an origin that a sent secret was not set for', () => {
    const [all] = choicesOf(slug).slice(-1);
    if (all === undefined) throw new Error('no settings');
    const install = { settings: { ...all, api_base_url: ELSEWHERE }, secretOrigins: bindSecrets(app, all) };
    const sent = sentSecretsOf(app).filter((name) => all[name] !== undefined);
    expect(findMisbound(app, install, ELSEWHERE).map(([name]) => name)).toEqual(sent);
    const call = () => requireBoundOrigins(app, install, { base: ELSEWHERE });
    if (sent.length > 0) expect(call).toThrow(/is not sent to https:\/\/elsewhere.example.com: set it again/);
    else expect(call).not.toThrow();
    const rebound = { ...install, secretOrigins: bindSecrets(app, install.settings) };
    expect(() => requireBoundOrigins(app, rebound, { base: ELSEWHERE })).not.toThrow();
  });
});

describe('a stored secret without an origin of its own', () => {
  const app = { apiBaseUrl: 'https://api.vendor.example.com' };

  it('belongs to the current origin in a row of a release without origins', () => {
    const install = { settings: { access_token: 't' }, secretOrigins: null };
    expect(findMisbound(app, install, 'https://api.vendor.example.com')).toEqual([]);
  });

  it('is not sent if the other secrets have an origin', () => {
    const install = { settings: { access_token: 't' }, secretOrigins: {} };
    expect(findMisbound(app, install, 'https://api.vendor.example.com')).toEqual([['access_token', '']]);
  });
});
