import { type DemoSettings, readDemoSettings } from './demo/settings.ts';
import { type CommercialSettings, readCommercialSettings } from './modules/commercial/fleet/index.ts';
import { type ConsoleSettings, readConsoleSettings } from './modules/console/index.ts';
import { type HealthSettings, readHealthSettings } from './modules/health/index.ts';
import { type IdentitySettings, readIdentitySettings } from './modules/identity/index.ts';
import { type LeadSettings, readLeadSettings } from './modules/leads/index.ts';
import { readStagingSettings, type StagingSettings } from './modules/staging/index.ts';
import { readWebhookSettings, type WebhookSettings } from './modules/webhooks/index.ts';
import { type Config, readConfig, settingReader } from './platform/config.ts';
import { readTracingSettings, type TracingSettings } from './platform/tracing/index.ts';
import { findUnknownSettings } from './platform/unknown-settings.ts';

/** All settings of the service. Each module reads its own from the environment. */
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
  /** Undefined: traces are off. */
  tracing: TracingSettings | undefined;
};

/** Settings of the HTTP client commands: known, but not used by the service. */
const CLIENT_SETTINGS = ['DUKKAN_URL', 'DUKKAN_TOKEN', 'DUKKAN_ORG'];

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
    tracing: readTracingSettings(reader),
  };
  // After all modules have read their settings.
  return {
    ...settings,
    platform: { ...platform, warnings: findUnknownSettings(env, [...reader.asked(), ...CLIENT_SETTINGS]) },
  };
}

const LOOPBACK_HOST = /^(localhost|127\..*|::1)$/;

/** Startup warning for a service that is reachable from outside: without PUBLIC_URL its links use the listening address. */
export function findLinkWarning({ platform, identity }: Settings): string | undefined {
  const isReachable = platform.trustProxy !== false || !LOOPBACK_HOST.test(platform.host);
  if (!platform.roles.has('api') || identity.publicUrl !== undefined || !isReachable) return undefined;
  return 'PUBLIC_URL is not set: links of invitations, and the addresses given to vendors, lead to the address that this service listens on';
}
