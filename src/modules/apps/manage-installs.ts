import { randomBytes } from 'node:crypto';
import type { App, AppSettings, SettingName } from '../../channels/contract.ts';
import type { Queryable, Tx } from '../../platform/database/index.ts';
import { updatedAfter } from '../../platform/http/preconditions.ts';
import { conflict, forbidden, notFound, unprocessable } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { type Actor, type AuditEntry, type Author, recordAudit } from '../audit/index.ts';
import { findBranchLabels } from '../branches/index.ts';
import { APPS, findApp } from './catalog.ts';
import {
  checkAddresses,
  type GivenSettings,
  mergeSettings,
  namedBranches,
  refuseAny,
  type SettingRules,
} from './check-settings.ts';
import type { Install } from './install.ts';
import {
  apiOriginOf,
  type BoundInstall,
  bindSecrets,
  findMisbound,
  findOwnerSettings,
  NO_ORIGIN,
  rebindSecrets,
  type SecretName,
  type SecretOrigins,
} from './secret-origins.ts';
import { deleteInstall, insertInstall, lockInstall, lockInstallsOf, updateInstall } from './sql.ts';

export const MAX_INSTALLS = 100;
const TOKEN_BYTES = 24;

export type InstallKey = { organizationId: string; id: string };

/** For modules that store data by install; called in the same transaction. */
export type InstallListener = {
  onInstalled(tx: Tx, install: Install): Promise<void>;
  onRemoved(tx: Tx, install: Install): Promise<void>;
};

/** A validated new install without its row. Resolves host names: no transaction may be open. */
export async function prepareInstall(
  organizationId: string,
  input: { app_slug: string; settings?: GivenSettings },
  rules: SettingRules,
  isOwner: boolean,
  now: Date,
): Promise<Install> {
  if (!isOwner) refuseOwnerSettings({}, input.settings ?? {});
  const app = getApp(input.app_slug);
  const settings = mergeSettings(app, {}, input.settings ?? {});
  await checkAddresses(settings, rules);
  return newInstall(app, { organizationId, settings, now });
}

export function newInstall(
  app: App,
  given: Pick<Install, 'settings'> & { organizationId: string; now: Date },
): Install {
  return {
    organization_id: given.organizationId,
    id: newId(),
    app_slug: app.slug,
    name_en: app.nameEn,
    name_ar: app.nameAr,
    family: app.family,
    kind: app.kind,
    enabled: true,
    settings: given.settings,
    secretOrigins: bindSecrets(app, given.settings),
    ingestToken: newIngestToken(),
    failures_in_a_row: 0,
    version: 1,
    last_sync_at: null,
    poll_cursor: null,
    polled_at: null,
    created: given.now,
    updated: given.now,
  };
}

export function newIngestToken(): string {
  return `dkt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

export async function placeInstall(
  tx: Tx,
  box: SecretBox,
  install: Install,
  actor: Author,
  listeners: readonly InstallListener[],
): Promise<void> {
  const others = await lockInstallsOf(tx, install.organization_id);
  if (others.length >= MAX_INSTALLS) throw conflict('Too many apps are installed', { limit: MAX_INSTALLS });
  refuseSecondOfOne(install, others);
  await refuseUnknownBranches(tx, install);
  await insertInstall(tx, box, install);
  for (const listener of listeners) await listener.onInstalled(tx, install);
  await recordAudit(tx, install.organization_id, actor, [entryOf('create', install.id)], install.created);
}

/** Who makes a change. Addresses and secrets are changed by owners; an API key is never one. */
export type InstallAuthor = { actor: Actor; isOwner: boolean };

export type InstallChange = {
  enabled?: boolean | undefined;
  settings?: GivenSettings | undefined;
  /** Throws if the install is not the version that the caller has read. */
  checkVersion?: (install: Install) => void;
};

/**
 * Merges the change into the settings stored at the moment of the write: concurrent changes of different settings are both kept.
 * `checkChange` has resolved the addresses before.
 */
export async function changeInstall(
  tx: Tx,
  box: SecretBox,
  key: InstallKey,
  change: InstallChange,
  { actor, isOwner }: InstallAuthor,
  now: Date,
): Promise<Install> {
  const others = await lockInstallsOf(tx, key.organizationId);
  const before = await getLocked(tx, box, key);
  change.checkVersion?.(before);
  const given = change.settings ?? {};
  if (!isOwner) refuseOwnerSettings(before.settings, given);
  const { settings, secretOrigins } =
    change.settings === undefined ? before : withSettings(getApp(before.app_slug), before, given);
  const enabled = change.enabled ?? before.enabled;
  if (enabled) refuseSecondOfOne(before, others);
  // Stored settings may name a deleted branch, which must not prevent replacing a secret.
  await refuseUnknownBranches(tx, { ...before, settings: newlyNamed(before.settings, settings) });
  const changedFields = [
    ...(enabled === before.enabled ? [] : ['enabled']),
    ...(Object.keys(given) as SettingName[])
      .filter((name) => !isSame(before.settings[name], settings[name]) || isRebound(before, secretOrigins, name))
      .map((name) => `settings.${name}`),
  ];
  if (changedFields.length === 0) return before;
  const updated = updatedAfter(before.updated, now);
  const after = await updateInstall(tx, box, before, { enabled, settings, secretOrigins, now: updated });
  await recordAudit(tx, key.organizationId, actor, [{ ...entryOf('update', before.id), changedFields }], now);
  return after;
}

/**
 * Resolves the addresses that a change names, before the transaction. Only for owners: from others an address is unchanged or
 * refused.
 */
export async function checkChange({ settings }: InstallChange, rules: SettingRules, isOwner: boolean): Promise<void> {
  if (settings === undefined) return;
  const text = (name: string) => (isOwner && typeof settings[name] === 'string' ? settings[name] : undefined);
  const [api_base_url, notification_url] = [text('api_base_url'), text('notification_url')];
  await checkAddresses(
    {
      ...(api_base_url === undefined ? {} : { api_base_url }),
      ...(notification_url === undefined ? {} : { notification_url }),
      ...(settings.sandbox === true ? { sandbox: true } : {}),
    },
    rules,
  );
}

export async function removeInstall(
  tx: Tx,
  box: SecretBox,
  key: InstallKey,
  actor: Actor,
  listeners: readonly InstallListener[],
  now: Date,
): Promise<Install> {
  const install = await getLocked(tx, box, key);
  for (const listener of listeners) await listener.onRemoved(tx, install);
  await deleteInstall(tx, key.organizationId, install.id);
  await recordAudit(tx, key.organizationId, actor, [entryOf('delete', install.id)], now);
  return install;
}

export async function getLocked(tx: Tx, box: SecretBox, { organizationId, id }: InstallKey): Promise<Install> {
  const install = isId(id) ? await lockInstall(tx, box, organizationId, id) : undefined;
  if (install === undefined) throw installNotFound(id);
  return install;
}

export function installNotFound(id: string) {
  return notFound('App not found', { id });
}

/** 403 that names the addresses and secrets an account other than an owner sets or changes. */
function refuseOwnerSettings(before: AppSettings, given: GivenSettings): void {
  const names = findOwnerSettings(before, given);
  if (names.length > 0) throw ownerRequired(names);
}

export function ownerRequired(names: readonly SettingName[]) {
  const faults = names.map((name) => [`settings.${name}`, 'is set, changed and removed by owners only']);
  return forbidden({ role: 'owner is required', ...Object.fromEntries(faults) }).named('owner-required');
}

/** If a change moves calls to another origin, the secrets that they carry must be set for it. */
function withSettings(app: App, before: Install, given: GivenSettings): BoundInstall {
  const settings = mergeSettings(app, before.settings, given);
  const after = { settings, secretOrigins: rebindSecrets(app, before, given, settings) };
  const origin = apiOriginOf(app, settings);
  const misbound = origin === apiOriginOf(app, before.settings) ? [] : findMisbound(app, after, origin);
  refuseAny(Object.fromEntries(misbound.map(([name, boundTo]) => [name, movedSecret(boundTo)])));
  return after;
}

export function movedSecret(boundTo: string): string {
  const given = boundTo === NO_ORIGIN ? 'was given without an address' : `was given for ${boundTo}`;
  return `${given}: send it whole together with the new address, or null to remove it`;
}

/** A secret that is set again for another origin is a change, also with the same value. */
function isRebound(before: Install, after: SecretOrigins | null, name: SettingName): boolean {
  const [old, bound] = [before.secretOrigins, after?.[name as SecretName]];
  return old !== null && bound !== undefined && old[name as SecretName] !== bound;
}

export function getApp(slug: string): App {
  const app = findApp(slug);
  if (app === undefined) {
    throw unprocessable({ app_slug: `must be one of ${APPS.map((one) => one.slug).join(', ')}` });
  }
  return app;
}

/** BNPL providers have one enabled install: new payments need a single target. */
function refuseSecondOfOne(install: Install, others: { id: string; app_slug: string; enabled: boolean }[]): void {
  if (install.kind !== 'bnpl') return;
  const other = others.find(
    ({ id, app_slug, enabled }) => enabled && app_slug === install.app_slug && id !== install.id,
  );
  if (other !== undefined) throw conflict('App already installed', { app_slug: install.app_slug, id: other.id });
}

/** Only the branches that the change names. */
function newlyNamed(before: AppSettings, after: AppSettings): AppSettings {
  const { branch_iv_id, branches = {} } = after;
  const added = Object.entries(branches).filter(([store, branch]) => before.branches?.[store] !== branch);
  return {
    ...(branch_iv_id === undefined || branch_iv_id === before.branch_iv_id ? {} : { branch_iv_id }),
    branches: Object.fromEntries(added),
  };
}

async function refuseUnknownBranches(
  sql: Queryable,
  { organization_id: organizationId, settings }: Install,
): Promise<void> {
  const named = namedBranches(settings);
  if (named.size === 0) return;
  const found = await findBranchLabels(
    sql,
    [...named.keys()].map((name) => ({ organizationId, name })),
  );
  const known = new Set(found.filter((row) => row.iv_id === row.named).map((row) => row.named));
  refuseAny(
    Object.fromEntries(
      [...named].flatMap(([name, field]) => (known.has(name) ? [] : [[field, `there is no branch ${name}`]])),
    ),
  );
}

function entryOf(action: string, installId: string): AuditEntry {
  return { action, resource: 'Apps', resourceId: installId };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
