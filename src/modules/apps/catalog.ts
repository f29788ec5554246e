import { type App, SECRET_SETTINGS, SETTING_SCHEMAS, type SettingName } from '../../channels/contract.ts';
import { CHANNELS } from '../../channels/list.ts';

/** Every app that can be installed, in the order of the catalog. */
export const APPS: readonly App[] = CHANNELS.map(({ app }) => app);

const bySlug = new Map(APPS.map((app) => [app.slug, app]));

export function findApp(slug: string): App | undefined {
  return bySlug.get(slug);
}

/** A proof of the vendor's own needs its secret; ours is made with the install. */
export function needsWebhookSecret(app: App): boolean {
  return app.inbound !== undefined && app.inbound.proof !== 'token' && app.settings.includes('webhook_secret');
}

export function secretsOf(app: App): SettingName[] {
  return SECRET_SETTINGS.filter((name) => app.settings.includes(name));
}

/** JSON Schema of an app's settings, as the catalog shows it and an install is checked by. */
export function settingsSchema(app: App) {
  return {
    type: 'object',
    properties: Object.fromEntries(app.settings.map((name) => [name, schemaOf(app, name)])),
    required: needsWebhookSecret(app) && !app.settings.includes('sandbox') ? ['webhook_secret'] : [],
    additionalProperties: false,
  };
}

function schemaOf(app: App, name: SettingName): object {
  const schema = SETTING_SCHEMAS[name];
  const given = name === 'api_base_url' ? app.apiBaseUrl : DEFAULTS[name];
  return given === undefined ? schema : { ...schema, default: given };
}

const DEFAULTS: Partial<Record<SettingName, unknown>> = {
  webhook_header: 'X-Webhook-Token',
  completed_means: 'delivered',
  sandbox: false,
};
