import type { App, AppSettings, SettingName } from '../../channels/contract.ts';
import { needsWebhookSecret, SECRET_SETTINGS } from '../../channels/contract.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { compileItemValidator, type FieldErrors } from '../../platform/http/validation.ts';
import type { Network } from '../../platform/outbound/address-policy.ts';
import type { Resolve } from '../../platform/outbound/resolve-host.ts';
import { checkRegistration } from '../../platform/outbound/target-url.ts';
import { isTimeZone } from '../../platform/time-zone.ts';
import { APPS, settingsSchema } from './catalog.ts';
import { looksMasked, masked } from './secret-mask.ts';

/** Checks beside the schema: allowed addresses, and whether the sandbox is allowed. */
export type SettingRules = { allowed: readonly Network[]; resolve: Resolve; allowsSandbox: boolean };

const validators = new Map(
  // Required settings are checked below: a sandbox needs none.
  APPS.map((app) => [app.slug, compileItemValidator({ ...settingsSchema(app), required: [] })]),
);

/** Longer than any known vendor id. */
const MAX_STORE_ID_CHARACTERS = 200;

export type GivenSettings = Record<string, unknown>;

/**
 * The settings of an install after a change: a value replaces the stored one, null removes it, an omitted one stays. So does a
 * secret that is sent as it was masked. Throws 422 with the errors by field.
 */
export function mergeSettings(app: App, before: AppSettings, given: GivenSettings): AppSettings {
  const merged: Record<string, unknown> = { ...before };
  const faults: FieldErrors = {};
  for (const [name, value] of Object.entries(given)) {
    if (!(app.settings as readonly string[]).includes(name)) faults[name] = 'is no setting of this app';
    else if (value === null) delete merged[name];
    else if (isSecret(name) && typeof value === 'string' && looksMasked(value)) {
      const kept = before[name];
      if (kept === undefined || masked(kept) !== value)
        faults[name] = 'is masked: send it whole, or leave it out to keep it';
    } else merged[name] = value;
  }
  const settings = merged as AppSettings;
  Object.assign(faults, validators.get(app.slug)?.(merged), ownFaults(app, settings));
  refuseAny(faults);
  return settings;
}

function ownFaults(app: App, settings: AppSettings): FieldErrors {
  const faults: FieldErrors = {};
  if (needsWebhookSecret(app) && settings.sandbox !== true && !settings.webhook_secret) {
    faults.webhook_secret = 'is required: without it no call could be verified';
  }
  for (const name of app.requiredSettings ?? []) {
    if (!settings[name]) faults[name] = `is required: without it nothing that ${app.slug} reports could be read back`;
  }
  if (typeof settings.time_zone === 'string' && !isTimeZone(settings.time_zone)) {
    faults.time_zone = 'must be the name of a time zone, such as Asia/Riyadh';
  }
  const longest = Object.keys(settings.branches ?? {}).find((store) => store.length > MAX_STORE_ID_CHARACTERS);
  if (longest !== undefined) faults.branches = `must name stores by at most ${MAX_STORE_ID_CHARACTERS} characters`;
  return faults;
}

/** Resolves a host name: no transaction may be open. */
export async function checkAddresses(settings: AppSettings, rules: SettingRules): Promise<void> {
  const faults: FieldErrors = {};
  if (settings.sandbox === true && !rules.allowsSandbox) {
    faults.sandbox = 'is for the demo only: start the service with DUKKAN_DEMO=true to use it';
  }
  if (settings.api_base_url) {
    const checked = await checkRegistration(settings.api_base_url, rules.allowed, rules.resolve);
    if (!checked.ok) faults.api_base_url = checked.reason;
    else if (/[?#]/.test(settings.api_base_url)) faults.api_base_url = 'must have no query and no fragment';
  }
  if (settings.notification_url && !URL.canParse(settings.notification_url)) {
    faults.notification_url = 'must be an address';
  }
  refuseAny(faults);
}

/** The branches that settings name; the transaction that writes them checks that they exist. */
export function namedBranches(settings: AppSettings): Map<string, string> {
  const named = new Map<string, string>();
  if (settings.branch_iv_id) named.set(settings.branch_iv_id, 'branch_iv_id');
  for (const [store, branch] of Object.entries(settings.branches ?? {})) named.set(branch, `branches.${store}`);
  return named;
}

function isSecret(name: string): name is (typeof SECRET_SETTINGS)[number] {
  return (SECRET_SETTINGS as readonly SettingName[]).includes(name as SettingName);
}

export function refuseAny(faults: FieldErrors): void {
  const names = Object.keys(faults);
  if (names.length === 0) return;
  throw unprocessable(Object.fromEntries(names.map((name) => [`settings.${name}`, faults[name] ?? ''])));
}
