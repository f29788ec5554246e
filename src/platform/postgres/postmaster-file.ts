import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from './settings.ts';

export type PostmasterFile = { pid: number; endpoint: Endpoint; status: string };

/** What a running server says of itself in `postmaster.pid`; `undefined` when there is no such file or it is half written. */
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

/** Only after the pid in it was found to be dead or someone else's: PostgreSQL itself gives up on a reused pid. */
export function removePostmasterFile(clusterDir: string): void {
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
}
