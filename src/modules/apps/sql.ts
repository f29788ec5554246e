import type { AppSettings } from '../../channels/contract.ts';
import { type Queryable, TENANT_LOCKS, type Tx } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Install } from './install.ts';
import type { SecretOrigins } from './secret-origins.ts';

type InstallRow = Omit<Install, 'settings' | 'secretOrigins' | 'ingestToken'> & {
  settings: Buffer | null;
  secret_origins: Buffer | null;
  ingest_token: Buffer | null;
};

/** Rows of early releases have no settings and no ingest token; without a token no call is verified by it. */
function opened(box: SecretBox, { settings, secret_origins, ingest_token, ...row }: InstallRow): Install {
  return {
    ...row,
    settings: settings === null ? {} : (JSON.parse(box.open(settings)) as AppSettings),
    secretOrigins: secret_origins === null ? null : (JSON.parse(box.open(secret_origins)) as SecretOrigins),
    ingestToken: ingest_token === null ? '' : box.open(ingest_token),
  };
}

const columns = (sql: Queryable) => sql`
  organization_id, id, app_slug, name_en, name_ar, family, kind, enabled, settings, secret_origins, ingest_token,
  failures_in_a_row, version, last_sync_at, poll_cursor, polled_at, created, updated`;

export async function insertInstall(tx: Tx, box: SecretBox, install: Install): Promise<void> {
  await tx`
    insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, enabled, settings,
                              secret_origins, ingest_token, version, created, updated)
    values (${install.organization_id}, ${install.id}, ${install.app_slug}, ${install.name_en}, ${install.name_ar},
            ${install.family}, ${install.kind}, ${install.enabled}, ${box.seal(JSON.stringify(install.settings))},
            ${box.seal(JSON.stringify(install.secretOrigins))}, ${box.seal(install.ingestToken)}, ${install.version}, ${install.created}, ${install.updated})`;
}

export async function listInstalls(sql: Queryable, box: SecretBox, organizationId: string): Promise<Install[]> {
  const rows = await sql<InstallRow[]>`
    select ${columns(sql)} from app_installs where organization_id = ${organizationId} order by created, id`;
  return rows.map((row) => opened(box, row));
}

/** By id alone: an ingest URL names no organization. */
export async function findInstalls(sql: Queryable, box: SecretBox, ids: readonly string[]): Promise<Install[]> {
  const rows = await sql<InstallRow[]>`select ${columns(sql)} from app_installs where id = any(${[...ids]}::uuid[])`;
  return rows.map((row) => opened(box, row));
}

export async function lockInstall(
  tx: Tx,
  box: SecretBox,
  organizationId: string,
  id: string,
): Promise<Install | undefined> {
  const [row] = await tx<InstallRow[]>`
    select ${columns(tx)} from app_installs where organization_id = ${organizationId} and id = ${id} for update`;
  return row && opened(box, row);
}

/** Locks the install until the end of the transaction, so that it still exists at the write. */
export async function isInstalled(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const found = await tx`
    select 1 from app_installs where organization_id = ${organizationId} and id = ${id} for key share`;
  return found.length > 0;
}

/** The organization of an install by its id alone; locks it likewise. */
export async function lockInstallOwner(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx<{ organization_id: string }[]>`
    select organization_id from app_installs where id = ${id} for key share`;
  return row?.organization_id;
}

/** Which of these ids are installs of the organization. */
export async function findInstalledIds(
  sql: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from app_installs where organization_id = ${organizationId} and id = any(${[...ids]}::uuid[])`;
  return new Set(rows.map((row) => row.id));
}

/** Serialises writers that count the installs of one organization. */
export async function lockInstallsOf(
  tx: Tx,
  organizationId: string,
): Promise<{ id: string; app_slug: string; enabled: boolean }[]> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.appInstalls}, hashtext(${organizationId}))`;
  return tx<{ id: string; app_slug: string; enabled: boolean }[]>`
    select id, app_slug, enabled from app_installs where organization_id = ${organizationId}`;
}

/** A change resets the failures. */
export async function updateInstall(
  tx: Tx,
  box: SecretBox,
  install: Install,
  change: { enabled: boolean; settings: AppSettings; secretOrigins: SecretOrigins | null; now: Date },
): Promise<Install> {
  const [row] = await tx<InstallRow[]>`
    update app_installs set
      enabled = ${change.enabled}, settings = ${box.seal(JSON.stringify(change.settings))},
      secret_origins = ${change.secretOrigins && box.seal(JSON.stringify(change.secretOrigins))}, failures_in_a_row = 0, version = version + 1, updated = ${change.now}
    where organization_id = ${install.organization_id} and id = ${install.id}
    returning ${columns(tx)}`;
  if (row === undefined) throw new Error('an install vanished under its lock');
  return opened(box, row);
}

/** The new version makes every node read the install again. */
export async function replaceIngestToken(
  tx: Tx,
  box: SecretBox,
  { organizationId, id, ingestToken, now }: { organizationId: string; id: string; ingestToken: string; now: Date },
): Promise<void> {
  await tx`
    update app_installs set ingest_token = ${box.seal(ingestToken)}, version = version + 1, updated = ${now}
    where organization_id = ${organizationId} and id = ${id}`;
}

export async function deleteInstall(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from app_installs where organization_id = ${organizationId} and id = ${id}`;
}

/** How many installs of each app an organization has. */
export async function countInstalls(sql: Queryable, organizationId: string): Promise<Map<string, number>> {
  const rows = await sql<{ app_slug: string; total: number }[]>`
    select app_slug, count(*) as total from app_installs where organization_id = ${organizationId} group by app_slug`;
  return new Map(rows.map((row) => [row.app_slug, row.total]));
}

/** Outcome of an install: failures to add to the current run, and whether a success ended the previous run. */
export type InstallHealth = { organizationId: string; id: string; failed: number; hasSucceeded: boolean };

/** In order of id, so that two writers queue instead of deadlocking. A success resets the count before failures are added. */
export async function recordInstallHealth(tx: Queryable, health: readonly InstallHealth[], now: Date): Promise<void> {
  const sorted = health.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await tx`
    update app_installs a set
      failures_in_a_row = case when f.has_succeeded then f.failed else a.failures_in_a_row + f.failed end,
      last_sync_at = case when f.has_succeeded then ${now} else a.last_sync_at end
    from unnest(${sorted.map((one) => one.organizationId)}::uuid[], ${sorted.map((one) => one.id)}::uuid[],
                ${sorted.map((one) => one.failed)}::int[], ${sorted.map((one) => one.hasSucceeded)}::boolean[])
         as f (organization_id, id, failed, has_succeeded)
    where a.organization_id = f.organization_id and a.id = f.id`;
}

/** Installs that are due for a poll, longest ago first, with a limit per tenant. */
export async function listPollable(
  sql: Queryable,
  box: SecretBox,
  { slugs, before, limit, ofTenant }: { slugs: readonly string[]; before: Date; limit: number; ofTenant: number },
): Promise<Install[]> {
  const rows = await sql<InstallRow[]>`
    select ${columns(sql)} from (
      select *, row_number() over (partition by organization_id order by polled_at nulls first, id) as turn
      from app_installs
      where enabled and app_slug = any(${[...slugs]}::text[]) and (polled_at is null or polled_at < ${before})
    ) a
    where turn <= ${ofTenant} order by polled_at nulls first, id limit ${limit}`;
  return rows.map((row) => opened(box, row));
}

/** Claims the poll: false if another process has claimed it. */
export async function claimPoll(sql: Queryable, install: Install, now: Date): Promise<boolean> {
  const claimed = await sql`
    update app_installs set polled_at = ${now}
    where organization_id = ${install.organization_id} and id = ${install.id}
      and polled_at is not distinct from ${install.polled_at}
    returning 1`;
  return claimed.length > 0;
}

/** Makes the install due at once. */
export async function releasePoll(sql: Queryable, install: Install): Promise<void> {
  await sql`
    update app_installs set polled_at = null where organization_id = ${install.organization_id} and id = ${install.id}`;
}

/** Whether the install is unchanged since its poll began; locks it until the transaction ends. */
export async function lockPollCursor(tx: Tx, install: Install, cursor: string | null): Promise<boolean> {
  const held = await tx`
    select from app_installs
    where organization_id = ${install.organization_id} and id = ${install.id} and enabled
      and version = ${install.version} and poll_cursor is not distinct from ${cursor}
    for update`;
  return held.length > 0;
}

export async function moveCursor(tx: Tx, install: Install, cursor: string): Promise<void> {
  await tx`
    update app_installs set poll_cursor = ${cursor}
    where organization_id = ${install.organization_id} and id = ${install.id}`;
}

export async function readInstallFigures(
  sql: Queryable,
): Promise<{ installs: number; enabled: number; failing: number; organizations: number }> {
  const [row] = await sql<{ installs: number; enabled: number; failing: number; organizations: number }[]>`
    select count(*) as installs, count(*) filter (where enabled) as enabled,
           count(*) filter (where enabled and failures_in_a_row >= 10) as failing,
           count(distinct organization_id) as organizations
    from app_installs`;
  return row ?? { installs: 0, enabled: 0, failing: 0, organizations: 0 };
}

/** The install fields that an order shows. */
export type OrderChannel = {
  organization_app_id: string;
  app_slug: string;
  channel_family: string;
  channel_kind: string;
};

export function findOrderChannels(
  sql: Queryable,
  keys: readonly { organizationId: string; id: string }[],
): Promise<(OrderChannel & { organization_id: string })[]> {
  return sql<(OrderChannel & { organization_id: string })[]>`
    select a.organization_id, a.id as organization_app_id, a.app_slug, a.family as channel_family, a.kind as channel_kind
    from unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (organization_id, id)
    join app_installs a on a.organization_id = k.organization_id and a.id = k.id`;
}

export function listOrderChannels(
  sql: Queryable,
  organizationId: string,
): Promise<(OrderChannel & { organization_id: string })[]> {
  return sql<(OrderChannel & { organization_id: string })[]>`
    select organization_id, id as organization_app_id, app_slug, family as channel_family, kind as channel_kind
    from app_installs where organization_id = ${organizationId}`;
}

/** The install fields that channel figures need. */
export type InstallOutline = Pick<
  Install,
  'id' | 'app_slug' | 'name_en' | 'name_ar' | 'family' | 'enabled' | 'failures_in_a_row' | 'last_sync_at' | 'updated'
>;

export function listInstallOutlines(sql: Queryable, organizationId: string): Promise<InstallOutline[]> {
  return sql<InstallOutline[]>`
    select id, app_slug, name_en, name_ar, family, enabled, failures_in_a_row, last_sync_at, updated
    from app_installs where organization_id = ${organizationId} order by created, id`;
}
