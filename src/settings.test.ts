import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './platform/config.ts';
import { isAllowedAddress, parseNetworks } from './platform/outbound/address-policy.ts';
import { findLinkWarning, readSettings } from './settings.ts';

const read = (env: Record<string, string> = {}) => readSettings(env, '/srv/shop');
const readPlatform = (env: Record<string, string>) => read(env).platform;

describe('without any setting', () => {
  it('runs everything on the embedded database with the demo', () => {
    expect(read()).toMatchObject({
      platform: {
        port: 8080,
        host: '127.0.0.1',
        databaseUrl: undefined,
        databasePoolSize: 16,
        dataDir: '/srv/shop/.data',
        secret: undefined,
        environment: 'development',
        logLevel: 'info',
        logFormat: 'auto',
        roles: new Set(['api', 'worker']),
        corsOrigins: [],
        trustProxy: false,
        rateLimitPerMinute: 0,
        maxInFlightRequests: 1000,
        maxConnectionsPerAddress: 1024,
        files: { driver: 'local', folder: '/srv/shop/.data/files' },
      },
      health: { metricsToken: undefined, metricsPort: undefined, metricsHost: '127.0.0.1' },
      identity: { loginRateLimitPerMinute: 300 },
      leads: { rateLimitPerMinute: 1200 },
      webhooks: {
        allowedNetworks: '',
        caFile: undefined,
        retryDelaysSeconds: [10, 60, 300, 1800, 7200, 28800, 86400],
        leaseSeconds: 30,
      },
      demo: { load: true },
    });
  });

  it('takes an empty or blank setting for an absent one', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DUKKAN_SECRET', 'DUKKAN_DEMO', 'LOG_LEVEL', 'DUKKAN_ROLES'];
    expect(read(Object.fromEntries(names.map((name, index) => [name, ' '.repeat(index % 2)])))).toEqual(read());
  });
});

describe('a missing PUBLIC_URL', () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ HOST: 'localhost' }, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '192.0.2.7' }, true],
    [{ TRUST_PROXY: '1' }, true],
    [{ TRUST_PROXY: '1', PUBLIC_URL: 'https://shop.example' }, false],
    [{ HOST: '0.0.0.0', DUKKAN_ROLES: 'worker' }, false],
  ])('is warned about where others reach the service: %j', (env, isWarned) => {
    expect(findLinkWarning(read(env)) !== undefined).toBe(isWarned);
  });
});

describe('good settings', () => {
  const external = { DATABASE_URL: 'postgres://u:p@db.example/shop', DUKKAN_SECRET: 'sixteen letters!' };

  it('leaves the demo out of a database of the operator', () => {
    expect(read(external)).toMatchObject({ demo: { load: false }, platform: { databaseUrl: external.DATABASE_URL } });
    expect(read({ ...external, DUKKAN_DEMO: 'yes' }).demo.load).toBe(true);
  });

  it.each([
    'postgresql://db',
    'postgres://u:p%40ss@db.example:6432/shop?sslmode=require',
    'postgres://u@db/shop?options=-csearch_path%3Dshop',
    'postgres://u@/shop?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/shop',
    'postgres://u@[::1]:5432/shop',
  ])('takes %s', (url) => {
    expect(readPlatform({ ...external, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('reads lists', () => {
    expect(readPlatform({ CORS_ORIGINS: ' https://a.example , http://b.example:3000,' }).corsOrigins).toEqual([
      'https://a.example',
      'http://b.example:3000',
    ]);
    expect(readPlatform({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
    expect(read({ WEBHOOK_RETRY_DELAYS: '0.5, 2 ,3' }).webhooks.retryDelaysSeconds).toEqual([0.5, 2, 3]);
    expect(readPlatform({ DUKKAN_ROLES: 'worker' }).roles).toEqual(new Set(['worker']));
    expect(read({ WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, ::1' }).webhooks.allowedNetworks).toBe('10.0.0.0/8, ::1');
  });

  it.each([
    ['false', false],
    ['0', false],
    ['1', { hops: 1 }],
    ['loopback, 10.0.0.0/8', { networks: '127.0.0.0/8, ::1, 10.0.0.0/8' }],
    ['192.0.2.7', { networks: '192.0.2.7' }],
  ])('takes %s for the proxies in front', (raw, trustProxy) => {
    expect(readPlatform({ TRUST_PROXY: raw }).trustProxy).toEqual(trustProxy);
  });

  it.each([
    ['127.0.0.1', '127.0.0.1', '127.0.0.2'],
    ['fd00::1', 'fd00::1', 'fd00::2'],
    ['10.0.0.0/8 ::1', '10.9.9.9', '::2'],
  ])('takes %s for the networks that webhooks may reach: %s is in it, %s is not', (raw, inside, outside) => {
    const networks = parseNetworks(read({ WEBHOOK_ALLOWED_NETWORKS: raw }).webhooks.allowedNetworks);
    expect([isAllowedAddress(inside, networks), isAllowedAddress(outside, networks)]).toEqual([true, false]);
  });

  it.each([
    ['yes', true],
    ['ON', true],
    ['1', true],
    ['no', false],
    ['off', false],
    ['False', false],
  ])('takes %s for a demo or none', (raw, load) => {
    expect(read({ DUKKAN_DEMO: raw }).demo.load).toBe(load);
  });

  it('loads the demo without its simulator when DUKKAN_DEMO is static', () => {
    expect(read({ DUKKAN_DEMO: 'static' }).demo).toEqual({ load: true, simulate: false, seed: 2026 });
    expect(read({ DUKKAN_DEMO_SEED: '7' }).demo).toEqual({ load: true, simulate: true, seed: 7 });
    expect(read({ DUKKAN_DEMO: 'no' }).demo).toMatchObject({ load: false, simulate: false });
    expect(() => read({ DUKKAN_DEMO: 'still' })).toThrow('DUKKAN_DEMO must be true, false or static, not "still"');
  });

  it('gives a process without the API a port for metrics by default', () => {
    const metricsPort = (env: Record<string, string>) => read(env).health.metricsPort;
    expect(metricsPort({ DUKKAN_ROLES: 'worker' })).toBe(9464);
    expect(metricsPort({ DUKKAN_ROLES: 'worker', METRICS_PORT: 'off' })).toBeUndefined();
    expect(metricsPort({ DUKKAN_ROLES: 'worker', METRICS_PORT: '9000' })).toBe(9000);
    expect(metricsPort({ DUKKAN_ROLES: 'api' })).toBeUndefined();
    expect(metricsPort({ METRICS_PORT: 'OFF' })).toBeUndefined();
  });

  it('resolves paths against the folder it runs in', () => {
    expect(readPlatform({ DUKKAN_DATA_DIR: 'elsewhere' }).dataDir).toBe('/srv/shop/elsewhere');
    expect(readPlatform({ DUKKAN_DATA_DIR: '/var/lib/shop' }).files).toEqual({
      driver: 'local',
      folder: '/var/lib/shop/files',
    });
    const here = import.meta.filename;
    expect(read({ WEBHOOK_CA_FILE: here }).webhooks.caFile).toBe(here);
  });

  it('keeps files in S3 when a bucket is named', () => {
    const s3 = {
      S3_BUCKET: 'shop',
      S3_ENDPOINT: 'https://s3.example',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
    };
    expect(readPlatform(s3).files).toEqual({
      driver: 's3',
      bucket: 'shop',
      endpoint: 'https://s3.example',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'key',
    });
  });

  it('reads every whole number in range as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), (port) => readPlatform({ PORT: String(port) }).port === port),
      { numRuns: 50 },
    );
  });
});

const s3 = { S3_BUCKET: 'b', S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY_ID: 'i', S3_SECRET_ACCESS_KEY: 'k' };
const secret = { DUKKAN_SECRET: 'sixteen letters!' };
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

const BAD: [setting: string, env: Record<string, string>][] = [
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '80.5' }],
  ['PORT', { PORT: '0x50' }],
  ['PORT', { PORT: '1e3' }],
  ['DATABASE_POOL_SIZE', { DATABASE_POOL_SIZE: '1' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'mysql://db/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'db.example/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@db:port/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:100%@db/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@one:5432,two:port/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@one,,two/shop' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@db/shop?host=one,two' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@db/shop?sslmode=allow' }],
  ['DATABASE_URL', { ...secret, DATABASE_URL: 'postgres://u:p@db/shop?port=five' }],
  ['DUKKAN_SECRET', { DATABASE_URL: 'postgres://db/shop' }],
  ['DUKKAN_SECRET', { DUKKAN_SECRET: 'fifteen letters' }],
  ['DUKKAN_DEMO', { DUKKAN_DEMO: 'perhaps' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['LOG_FORMAT', { LOG_FORMAT: 'poem' }],
  ['DUKKAN_ROLES', { DUKKAN_ROLES: 'api,cook' }],
  ['DUKKAN_ROLES', { DUKKAN_ROLES: ',' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'yes' }],
  ['TRUST_PROXY', { TRUST_PROXY: '11' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'proxy.example' }],
  ['METRICS_PORT', { METRICS_PORT: 'ninety' }],
  ['METRICS_PORT', { METRICS_PORT: '65536' }],
  ['DUKKAN_MIGRATE', { DUKKAN_MIGRATE: 'yes' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
  ['OTEL_TRACES_SAMPLER_ARG', { ...collector, OTEL_TRACES_SAMPLER_ARG: '2' }],
  ['OTEL_TRACES_SAMPLER_ARG', { ...collector, OTEL_TRACES_SAMPLER_ARG: 'half' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=100%' }],
  ['BILLING_PAYMENTS', { BILLING_PAYMENTS: 'cash' }],
  ['BILLING_SELLER_NAME', { BILLING_SELLER_VAT_NUMBER: '300000000000003' }],
  ['BILLING_SELLER_VAT_NUMBER', { BILLING_SELLER_NAME: 'Dukkan', BILLING_SELLER_VAT_NUMBER: '123456789012345' }],
  ['WEBHOOK_LEASE_SECONDS', { WEBHOOK_LEASE_SECONDS: '5' }],
  ['MAX_CONNECTIONS_PER_ADDRESS', { MAX_CONNECTIONS_PER_ADDRESS: '-1' }],
  ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: 'none' }],
  ['LOGIN_RATE_LIMIT_PER_MINUTE', { LOGIN_RATE_LIMIT_PER_MINUTE: '1.5' }],
  ['LEAD_RATE_LIMIT_PER_MINUTE', { LEAD_RATE_LIMIT_PER_MINUTE: '-5' }],
  ['MAX_IN_FLIGHT_REQUESTS', { MAX_IN_FLIGHT_REQUESTS: '0' }],
  ['CORS_ORIGINS', { CORS_ORIGINS: 'shop.example' }],
  ['CORS_ORIGINS', { CORS_ORIGINS: 'https://shop.example/' }],
  ['WEBHOOK_RETRY_DELAYS', { WEBHOOK_RETRY_DELAYS: '10,soon' }],
  ['WEBHOOK_RETRY_DELAYS', { WEBHOOK_RETRY_DELAYS: '10,,20' }],
  ['WEBHOOK_RETRY_DELAYS', { WEBHOOK_RETRY_DELAYS: '-1' }],
  ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/33' }],
  ['WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: 'localhost' }],
  ['WEBHOOK_CA_FILE', { WEBHOOK_CA_FILE: '/nowhere/ca.pem' }],
  ['S3_BUCKET', { ...s3, S3_BUCKET: '' }],
  ['S3_BUCKET', { ...s3, S3_BUCKET: 'a/b' }],
  ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: '' }],
  ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: 's3.example' }],
  ['S3_ACCESS_KEY_ID', { ...s3, S3_ACCESS_KEY_ID: '' }],
  ['S3_SECRET_ACCESS_KEY', { ...s3, S3_SECRET_ACCESS_KEY: '' }],
];

describe('an unknown setting', () => {
  it.each([
    ['DUKKAN_DATADIR', 'DUKKAN_DATA_DIR'],
    ['DUKKAN_ROLE', 'DUKKAN_ROLES'],
    ['WEBHOOK_ALLOW_NETWORKS', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['WEBHOOK_RETRY_DELAY', 'WEBHOOK_RETRY_DELAYS'],
  ])('%s is named once, with %s', (name, closest) => {
    expect(readPlatform({ [name]: 'x' }).warnings).toEqual([`There is no setting ${name}; the closest is ${closest}`]);
  });

  it('is named without another one when none is close', () => {
    expect(readPlatform({ DUKKAN_COLOUR: 'x' }).warnings).toEqual(['There is no setting DUKKAN_COLOUR']);
  });

  it('is one that begins like ours; every setting there is is known', () => {
    const names = [
      ...readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8').matchAll(
        /\b(?:DUKKAN|WEBHOOK)_[A-Z_]+/g,
      ),
    ].map(([name]) => name);
    expect(names.length).toBeGreaterThan(8);
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readPlatform({ ...empty, NODE_OPTIONS: '', MY_DUKKAN_X: 'x' }).warnings).toEqual([]);
  });
});

describe('a bad setting', () => {
  it.each(BAD)('names itself in one line: %s in %j', (setting, env) => {
    const message = refusalOf(env);
    expect(message).toMatch(new RegExp(`^${setting}\\b`));
    expect(message).not.toContain('\n');
  });

  it('never repeats a password', () => {
    expect(refusalOf({ ...secret, DATABASE_URL: 'postgres://u:hunter2@db:port/shop' })).not.toContain('hunter2');
    expect(refusalOf({ DUKKAN_SECRET: 'hunter2' })).not.toContain('hunter2');
  });
});

function refusalOf(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(env)} was taken`);
}
