import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseProcessStat } from '../../../bench/all-in/postgres-cpu.ts';
import { connectPatiently } from '../../harness/connect-patiently.ts';

const HESITATION_MS = 40;
const BETWEEN_MS = 160;

/** Short stops, again and again: transactions that span nodes become visible on one of them earlier than on the other. */
export async function hesitate(clusterUrl: string, port: string, forMs: number): Promise<void> {
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    const wake = await pauseServer(clusterUrl, port);
    await pause(HESITATION_MS);
    wake();
    await pause(BETWEEN_MS);
  }
}

/** Stops every process of a server without ending it. */
export async function pauseServer(clusterUrl: string, port: string): Promise<() => void> {
  const url = new URL(clusterUrl);
  url.port = port;
  url.pathname = '/postgres';
  const sql = connectPatiently(url.href, 1);
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const postmaster = (await readStat(String(row?.pid)))?.parent ?? '';
  await sql.end({ timeout: 1 });
  const pids = [postmaster];
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && (await readStat(pid))?.parent === postmaster) pids.push(pid);
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) {
      try {
        process.kill(Number(pid), name);
      } catch {
        // It has ended since.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

async function readStat(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseProcessStat(text);
}
