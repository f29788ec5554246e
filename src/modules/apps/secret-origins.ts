import {
  type App,
  type AppSettings,
  CredentialsOfAnotherOrigin,
  SECRET_SETTINGS,
  type SettingName,
} from '../../channels/contract.ts';
import { looksMasked } from './secret-mask.ts';

/**
 * Every secret is bound to the origin (scheme, host and port) of the vendor's API that it was set for. Without that, a change of
 * the address alone would send the stored secret to the owner of the new address.
 */
export type SecretName = (typeof SECRET_SETTINGS)[number];
export type SecretOrigins = Readonly<Partial<Record<SecretName, string>>>;

/** Origin of secrets that were set while the install had no address to call. */
export const NO_ORIGIN = '';

type BoundApp = Pick<App, 'apiBaseUrl' | 'tokenBaseUrl' | 'sendsWebhookSecret'>;

/** `secretOrigins` is null for a row of a release that did not keep them: its secrets belong to the origin it has. */
export type BoundInstall = { settings: AppSettings; secretOrigins: SecretOrigins | null };

/** The origin that calls go to. */
export function apiOriginOf(app: BoundApp, { api_base_url }: AppSettings): string {
  return originOf(api_base_url || app.apiBaseUrl);
}

/** Binds all secrets of these settings to the origin that the settings name. */
export function bindSecrets(app: BoundApp, settings: AppSettings): SecretOrigins {
  const origin = apiOriginOf(app, settings);
  return Object.fromEntries(
    SECRET_SETTINGS.filter((name) => settings[name] !== undefined).map((name) => [name, origin]),
  );
}

/** After a change: secrets sent in full are bound to the new origin of the settings, kept ones keep theirs. */
export function rebindSecrets(
  app: BoundApp,
  before: BoundInstall,
  given: Readonly<Record<string, unknown>>,
  settings: AppSettings,
): SecretOrigins {
  const kept = before.secretOrigins ?? bindSecrets(app, before.settings);
  const fresh = bindSecrets(app, settings);
  return Object.fromEntries(
    Object.entries(fresh).flatMap(([name, origin]) => {
      const isWhole = typeof given[name] === 'string' && !looksMasked(given[name]);
      const bound = isWhole ? origin : kept[name as SecretName];
      return bound === undefined ? [] : [[name, bound]];
    }),
  );
}

/** The secrets that calls of an app carry: `webhook_secret` only verifies incoming calls unless the app says otherwise. */
export function sentSecretsOf({ sendsWebhookSecret }: BoundApp): SecretName[] {
  return SECRET_SETTINGS.filter((name) => name !== 'webhook_secret' || sendsWebhookSecret === true);
}

/** Stored secrets that calls would carry to `origin` although they were set for another; with the origin of each. */
export function findMisbound(app: BoundApp, install: BoundInstall, origin: string): [SecretName, string][] {
  const { settings, secretOrigins } = install;
  const bound = secretOrigins ?? bindSecrets(app, settings);
  return sentSecretsOf(app)
    .filter((name) => settings[name] !== undefined && bound[name] !== origin)
    .map((name) => [name, bound[name] ?? NO_ORIGIN]);
}

/**
 * The last check before a call, independent of what wrote the settings. Tokens are fetched from the origin of the calls, or from
 * the one other host that the app declares.
 */
export function requireBoundOrigins(
  app: BoundApp,
  install: BoundInstall,
  { base, tokenBase }: { base: string; tokenBase?: string | undefined },
): void {
  const origin = originOf(base);
  const [misbound] = findMisbound(app, install, origin);
  if (misbound !== undefined) throw new CredentialsOfAnotherOrigin(misbound[0], misbound[1], origin);
  const [sent] = sentSecretsOf(app).filter((name) => install.settings[name] !== undefined);
  if (tokenBase === undefined || sent === undefined) return;
  const tokenOrigin = originOf(tokenBase);
  if (tokenOrigin !== origin && tokenOrigin !== originOf(app.tokenBaseUrl)) {
    throw new CredentialsOfAnotherOrigin(sent, origin, tokenOrigin);
  }
}

function originOf(url: string | undefined): string {
  return url === undefined ? NO_ORIGIN : (URL.parse(url)?.origin ?? NO_ORIGIN);
}

/** Addresses and secrets decide who gets the organization's credentials: only owners change them. */
const ADDRESSES = ['api_base_url', 'notification_url'] as const satisfies SettingName[];

/** The addresses and secrets that a request would set or change. */
export function findOwnerSettings(before: AppSettings, given: Readonly<Record<string, unknown>>): SettingName[] {
  const changed = ADDRESSES.filter((name) => name in given && (given[name] || '') !== (before[name] ?? ''));
  // A secret sent in full counts even if it is the stored one: the response must not reveal a right guess.
  const secrets = SECRET_SETTINGS.filter((name) => {
    const value = given[name];
    if (value === undefined) return false;
    return value === null ? before[name] !== undefined : !(typeof value === 'string' && looksMasked(value));
  });
  return [...changed, ...secrets];
}
