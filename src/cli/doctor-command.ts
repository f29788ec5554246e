import { statfs } from 'node:fs/promises';
import { listDeadLettered } from '../modules/events/index.ts';
import type { Sql } from '../platform/database/index.ts';
import { openLocalFileStore, readVersioning } from '../platform/files/index.ts';
import { findFact } from '../platform/installation/index.ts';
import type { Platform } from '../platform/platform.ts';
import { defineCommand } from './command.ts';
import { formatTable } from './format-text.ts';

type Check = { check: string; status: 'ok' | 'warning'; detail: string };

/** A daily backup may take its time. */
const BACKUP_HOURS = 26;
const FREE_PERCENT = 10;
const MAX_DEAD_LETTERS = 1_000;

/** Looks at the installation and changes nothing. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check the installation: server, last backup, images, disk, replication slots, dead letters',
  example: 'doctor',
  details: 'Exit code 1 when there is a warning.',
  async run(context) {
    const platform = await context.platform();
    const checks = [
      await checkServerVersion(platform),
      await checkBackup(platform),
      await checkImages(platform),
      await checkSlots(platform),
      await checkEvents(platform),
      await checkDisk(platform),
    ];
    const isHealthy = checks.every(({ status }) => status === 'ok');
    return {
      value: { healthy: isHealthy, checks },
      text: formatTable(['check', 'status', 'detail'], checks),
      exitCode: isHealthy ? 0 : 1,
    };
  },
});

async function checkServerVersion({ sql }: Platform): Promise<Check> {
  const [row] = await sql<{ version: string; bytes: number }[]>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`;
  return { check: 'server', status: 'ok', detail: `PostgreSQL ${row?.version}, ${formatBytes(row?.bytes ?? 0)}` };
}

async function checkBackup({ sql, clock }: Platform): Promise<Check> {
  const fact = await findFact(sql, 'last_backup');
  if (fact === undefined) {
    return { check: 'backup', status: 'warning', detail: 'none was taken by dukkan backup' };
  }
  const { at, id, folder, nodes } = JSON.parse(fact) as { at: string; id: string; folder: string; nodes?: number };
  if (sql.layout.isDistributed && nodes === undefined) {
    return { check: 'backup', status: 'warning', detail: `${id} in ${folder} is of before the cluster` };
  }
  const hours = (clock.now().getTime() - new Date(at).getTime()) / 3_600_000;
  return {
    check: 'backup',
    status: hours > BACKUP_HOURS ? 'warning' : 'ok',
    detail: `last good one ${at} (${hours.toFixed(1)} h ago): ${id} in ${folder}`,
  };
}

/** Images of the local folder are in the backups; those in a bucket are protected by its versions. */
async function checkImages({ config: { files }, sql }: Platform): Promise<Check> {
  if (files.driver === 's3') {
    const versioning = await readVersioning(files);
    const isProtected = versioning === 'enabled';
    const detail = isProtected ? 'keeps versions' : `does not keep versions (${versioning}): a deleted image is lost`;
    return { check: 'images', status: isProtected ? 'ok' : 'warning', detail: `bucket ${files.bucket} ${detail}` };
  }
  let count = 0;
  for await (const _key of (await openLocalFileStore(files)).list()) count += 1;
  const fact = await findFact(sql, 'last_backup');
  const inBackup = fact === undefined ? 0 : ((JSON.parse(fact) as { files?: number }).files ?? 0);
  const isLost = count > 0 && inBackup === 0;
  const detail = `${count} in ${files.folder}, ${inBackup} in the last backup`;
  return { check: 'images', status: isLost ? 'warning' : 'ok', detail };
}

/** A slot without a reader makes the server keep its log, up to max_slot_wal_keep_size. */
async function checkSlots({ sql }: Platform): Promise<Check> {
  const own = await sql.unsafe<Slot[]>(SLOTS);
  const { slots: ofWorkers, unreachable } = sql.layout.isDistributed ? await readWorkerSlots(sql) : NO_WORKERS;
  const slots = [...own, ...ofWorkers];
  if (unreachable.length > 0) {
    return { check: 'replication slots', status: 'warning', detail: `${unreachable.join(', ')} does not answer` };
  }
  const described = slots.map(
    ({ name, active, wal_status, bytes }) =>
      `${name} ${active ? 'active' : 'idle'}, ${wal_status ?? 'lost'}, ${formatBytes(bytes ?? 0)} behind`,
  );
  const isLost = slots.some(({ wal_status }) => wal_status !== 'reserved' && wal_status !== 'extended');
  return {
    check: 'replication slots',
    status: isLost ? 'warning' : 'ok',
    detail: described.length === 0 ? 'none' : described.join('; '),
  };
}

type Slot = { name: string; active: boolean; wal_status: string | null; bytes: number | null };

const SLOTS = `
  select slot_name as name, active, wal_status,
    case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 end as bytes
  from pg_replication_slots order by slot_name`;
const NO_WORKERS: Awaited<ReturnType<typeof readWorkerSlots>> = { slots: [], unreachable: [] };

async function readWorkerSlots(sql: Sql): Promise<{ slots: Slot[]; unreachable: string[] }> {
  const rows = await sql<{ node: string; success: boolean; result: string }[]>`
    select nodename || ':' || nodeport as node, success, result
    from run_command_on_workers(${`select coalesce(json_agg(s), '[]') from (${SLOTS}) s`})`;
  const answers = rows.filter(({ success }) => success);
  return {
    slots: answers.flatMap(({ node, result }) =>
      (JSON.parse(result) as Slot[]).map((slot) => ({ ...slot, name: `${slot.name} on ${node}` })),
    ),
    unreachable: rows.filter(({ success }) => !success).map(({ node }) => node),
  };
}

async function checkEvents({ sql }: Platform): Promise<Check> {
  const dead = (await listDeadLettered(sql, MAX_DEAD_LETTERS)).length;
  const detail = dead === MAX_DEAD_LETTERS ? `at least ${dead} dead letters` : `${dead} dead letters`;
  return { check: 'events', status: dead > 0 ? 'warning' : 'ok', detail };
}

async function checkDisk({ config: { dataDir } }: Platform): Promise<Check> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const percent = (bavail / blocks) * 100;
  return {
    check: 'disk',
    status: percent < FREE_PERCENT ? 'warning' : 'ok',
    detail: `${formatBytes(bavail * bsize)} free (${percent.toFixed(0)} %) under ${dataDir}`,
  };
}

function formatBytes(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} kB`;
  if (bytes < 1024 ** 3) return `${Math.round(bytes / 1024 ** 2)} MB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}
