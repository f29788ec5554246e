import { type AppFamily, type AppSettings, SECRET_SETTINGS } from '../../channels/contract.ts';
import { masked } from './secret-mask.ts';
import type { SecretOrigins } from './secret-origins.ts';

/** A row of `app_installs` with decrypted settings. */
export type Install = {
  organization_id: string;
  id: string;
  app_slug: string;
  name_en: string;
  name_ar: string;
  family: AppFamily;
  kind: string;
  enabled: boolean;
  settings: AppSettings;
  /** The origin that each secret was set for; see secret-origins.ts. */
  secretOrigins: SecretOrigins | null;
  ingestToken: string;
  failures_in_a_row: number;
  version: number;
  last_sync_at: Date | null;
  poll_cursor: string | null;
  polled_at: Date | null;
  created: Date;
  updated: Date;
};

export type InstallStatus = 'active' | 'failing' | 'disabled';

const FAILING_AFTER = 10;

export function statusOf({
  enabled,
  failures_in_a_row,
}: Pick<Install, 'enabled' | 'failures_in_a_row'>): InstallStatus {
  if (!enabled) return 'disabled';
  return failures_in_a_row >= FAILING_AFTER ? 'failing' : 'active';
}

export function maskedSettings(settings: AppSettings): AppSettings {
  const shown: Record<string, unknown> = { ...settings };
  for (const name of SECRET_SETTINGS) {
    const secret = settings[name];
    if (secret !== undefined) shown[name] = masked(secret);
  }
  return shown;
}

/** An account confined to a branch sees its own branch in the settings only, and none if that was deleted. */
export function settingsSeenBy(settings: AppSettings, branchIvId: string | undefined): AppSettings {
  const { branch_iv_id, branches, ...rest } = settings;
  const own = Object.entries(branches ?? {}).filter(([, ivId]) => ivId === branchIvId);
  return {
    ...rest,
    ...(branch_iv_id !== undefined && branch_iv_id === branchIvId && { branch_iv_id }),
    ...(branches !== undefined && { branches: Object.fromEntries(own) }),
  };
}

/** The row of `GET /apps`. */
export function installShape(install: Install) {
  const { id, app_slug, name_en, name_ar, family, kind, enabled } = install;
  return {
    id,
    app_slug,
    name_en,
    name_ar,
    family,
    kind,
    enabled,
    status: statusOf(install),
    settings: maskedSettings(install.settings),
    last_sync_at: install.last_sync_at?.toISOString() ?? null,
    created: install.created.toISOString(),
    updated: install.updated.toISOString(),
  };
}

export function ingestUrl(base: string, installId: string): string {
  return `${base}/api/v1/ingest/${installId}`;
}
