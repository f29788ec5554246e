import { describe, expect, it } from 'vitest';
import { isForOwners, secretsToRepeat } from '../src/features/apps/settings-draft.ts';

const schema = {
  properties: {
    webhook_secret: { type: 'string' },
    api_base_url: { type: 'string', default: 'https://api.vendor.example' },
    access_token: { type: 'string', 'x-sent-to-vendor': true },
    client_secret: { type: 'string', 'x-sent-to-vendor': true },
    time_zone: { type: 'string' },
  },
  required: [],
} as const;
const stored = { webhook_secret: '••••1234', access_token: '••••5678' };
const draft = { webhook_secret: '', api_base_url: '', access_token: '', client_secret: '', time_zone: '' };

describe('secretsToRepeat', () => {
  it.each([
    ['the address stays', {}, []],
    ['the default host is written out', { api_base_url: 'https://API.vendor.example/v2' }, []],
    ['the address leads to another host', { api_base_url: 'https://other.example' }, ['access_token']],
    ['the port differs', { api_base_url: 'https://api.vendor.example:8443' }, ['access_token']],
    ['another is written', { api_base_url: 'https://other.example', access_token: 'new' }, []],
    ['it is taken away', { api_base_url: 'https://other.example', access_token: null }, []],
  ])('names the secrets to enter again when %s', (_when, changes, expected) => {
    expect(secretsToRepeat(schema, stored, { ...draft, ...changes })).toEqual(expected);
  });

  it('asks for the credentials again when a stored address is removed, because the default host is then called', () => {
    const elsewhere = { ...stored, api_base_url: 'https://other.example' };
    expect(secretsToRepeat(schema, elsewhere, draft)).toEqual(['access_token']);
  });
});

describe('isForOwners', () => {
  it('is true for every address and every secret, and for nothing else', () => {
    const secrets = ['webhook_secret', 'access_token', 'client_secret'];
    const names = [...Object.keys(schema.properties), 'notification_url', 'branches', 'client_id'];
    expect(names.filter((name) => isForOwners(name, secrets))).toEqual([
      'webhook_secret',
      'api_base_url',
      'access_token',
      'client_secret',
      'notification_url',
    ]);
  });
});
