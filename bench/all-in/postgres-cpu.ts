import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Sql } from '../../src/platform/database/index.ts';

export type PostgresCpu = { readMs(): Promise<number> };

/**
 * The CPU time of all processes of a server: the postmaster, its children, and the children that have ended, which the kernel adds
 * to the postmaster. Undefined where they cannot be seen: on another machine, or on a system without /proc.
 */
export async function openPostgresCpu(sql: Sql): Promise<PostgresCpu | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const backend = await readStat(String(row?.pid));
  if (backend?.command !== 'postgres') return undefined;
  const postmaster = backend.parent;
  const msPerTick = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return {
    async readMs() {
      let ticks = 0;
      for (const pid of await readdir('/proc')) {
        if (!/^\d+$/.test(pid)) continue;
        const stat = await readStat(pid);
        if (pid === postmaster) ticks += (stat?.ownTicks ?? 0) + (stat?.endedChildrenTicks ?? 0);
        else if (stat?.parent === postmaster) ticks += stat.ownTicks;
      }
      return ticks * msPerTick;
    },
  };
}

async function readStat(pid: string): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseProcessStat(text);
}

export type ProcessStat = { command: string; parent: string; ownTicks: number; endedChildrenTicks: number };

/** A line of /proc/<pid>/stat. The command may contain spaces and parentheses: fields are counted from its last one. */
export function parseProcessStat(text: string): ProcessStat {
  const end = text.lastIndexOf(')');
  // state, ppid, ... ; utime, stime, cutime and cstime are fields 14 to 17 of the line.
  const fields = text.slice(end + 2).split(' ');
  const ticks = (index: number) => Number(fields[index]);
  return {
    command: text.slice(text.indexOf('(') + 1, end),
    parent: fields[1] ?? '',
    ownTicks: ticks(11) + ticks(12),
    endedChildrenTicks: ticks(13) + ticks(14),
  };
}
