import { type DemoSettings, readDemoSettings } from './demo/settings.ts';
import { type CommercialSettings, readCommercialSettings } from './modules/commercial/fleet/index.ts';
import { type ConsoleSettings, readConsoleSettings } from './modules/console/index.ts';
import { type HealthSettings, readHealthSettings } from './modules/health/index.ts';
import { type IdentitySettings, readIdentitySettings } from './modules/identity/index.ts';
import { type LeadSettings, readLeadSettings } from './modules/leads/index.ts';
import { readStagingSettings, type StagingSettings } from './modules/staging/index.ts';
import { readWebhookSettings, type WebhookSettings } from './modules/webhooks/index.ts';
import { type Config, readConfig, settingReader } from './platform/config.ts';
import { findUnknownSettings } from './platform/unknown-settings.ts';

/** Every setting of the service. Each part reads its own, by name, from the environment. */
export type Settings = {
  platform: Config;
  console: ConsoleSettings;
  health: HealthSettings;
  identity: IdentitySettings;
  leads: LeadSettings;
  webhooks: WebhookSettings;
  staging: StagingSettings;
  commercial: CommercialSettings;
  demo: DemoSettings;
};

/** What commands that speak to a service by HTTP go by: known, and none of the service's own. */
const OF_COMMANDS = ['DUKKAN_URL', 'DUKKAN_TOKEN', 'DUKKAN_ORG'];

export function readSettings(env: Record<string, string | undefined>, cwd: string): Settings {
  const reader = settingReader(env, cwd);
  const platform = readConfig(reader, cwd);
  const settings = {
    platform,
    console: readConsoleSettings(reader),
    health: readHealthSettings(reader, platform.roles),
    identity: readIdentitySettings(reader),
    leads: readLeadSettings(reader),
    webhooks: readWebhookSettings(reader),
    staging: readStagingSettings(reader),
    commercial: readCommercialSettings(reader),
    demo: readDemoSettings(reader),
  };
  // Only now has every part asked for what it knows.
  return {
    ...settings,
    platform: { ...platform, warnings: findUnknownSettings(env, [...reader.asked(), ...OF_COMMANDS]) },
  };
}

const LOOPBACK_HOST = /^(localhost|127\..*|::1)$/;

/** For the start of a service that others reach: without PUBLIC_URL its links lead to the address it listens on. */
export function findLinkWarning({ platform, identity }: Settings): string | undefined {
  const isReachedByOthers = platform.trustProxy !== false || !LOOPBACK_HOST.test(platform.host);
  if (!platform.roles.has('api') || identity.publicUrl !== undefined || !isReachedByOthers) return undefined;
  return 'PUBLIC_URL is not set: links of invitations, and the addresses given to vendors, lead to the address that this service listens on';
}
