import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from './settings.ts';

export type PostmasterFile = { pid: number; endpoint: Endpoint; status: string };

/** The contents of `postmaster.pid`; `undefined` when the file is missing or incomplete. */
export function readPostmasterFile(clusterDir: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const socketDir = lines[4] ?? '';
  const endpoint: Endpoint = socketDir === '' ? { listen: 'tcp', port } : { listen: 'socket', socketDir, port };
  return { pid, endpoint, status: (lines[7] ?? '').trim() };
}

/** Call only when its pid is dead or belongs to another program: PostgreSQL refuses to start when the pid is in use. */
export function removePostmasterFile(clusterDir: string): void {
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}
