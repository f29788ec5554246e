import {
  type App,
  needsWebhookSecret,
  SECRET_SETTINGS,
  SETTING_SCHEMAS,
  type SettingName,
} from '../../channels/contract.ts';
import { CHANNELS, findChannel } from '../../channels/list.ts';
import { findProviderByApp, PROVIDERS } from '../../providers/list.ts';
import { sentSecretsOf } from './secret-origins.ts';
import type { CalledVendor } from './vendor-client.ts';

/** Every app that can be installed, in the order of the catalog. */
export const APPS: readonly App[] = [...CHANNELS, ...PROVIDERS].map(({ app }) => app);

const bySlug = new Map(APPS.map((app) => [app.slug, app]));

export function findApp(slug: string): App | undefined {
  return bySlug.get(slug);
}

/** The channel or provider that is called for an install of this app. */
export function findVendor(slug: string): CalledVendor | undefined {
  return findChannel(slug) ?? findProviderByApp(slug);
}

export function secretsOf(app: App): SettingName[] {
  return SECRET_SETTINGS.filter((name) => app.settings.includes(name));
}

/** JSON Schema of an app's settings, for the catalog and for validating an install. */
export function settingsSchema(app: App) {
  return {
    type: 'object',
    properties: Object.fromEntries(app.settings.map((name) => [name, schemaOf(app, name)])),
    required: [
      ...(needsWebhookSecret(app) && !app.settings.includes('sandbox') ? ['webhook_secret'] : []),
      ...(app.requiredSettings ?? []),
    ],
    additionalProperties: false,
  };
}

/** Marks secrets that calls carry: they must be sent again when the origin of `api_base_url` changes. */
const SENT_TO_VENDOR = 'x-sent-to-vendor';

function schemaOf(app: App, name: SettingName): object {
  const isSent = sentSecretsOf(app).some((secret) => secret === name);
  const schema = { ...SETTING_SCHEMAS[name], ...(isSent && { [SENT_TO_VENDOR]: true }) };
  const given = name === 'api_base_url' ? app.apiBaseUrl : DEFAULTS[name];
  return given === undefined ? schema : { ...schema, default: given };
}

const DEFAULTS: Partial<Record<SettingName, unknown>> = {
  webhook_header: 'X-Webhook-Token',
  completed_means: 'delivered',
  sandbox: false,
};
