import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Alive and not a zombie: an orphan whose new parent never reaps it still answers kill(pid, 0). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
  return readStat(pid)?.state !== 'Z';
}

/** Whether this pid is the server of this cluster, and not another process that reuses its number. */
export function isPostmasterOf(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === clusterDir;
  } catch {
    // Root inside a container usually lacks CAP_SYS_PTRACE, which this link needs across accounts; macOS has no /proc.
    return commandOf(pid) === 'postgres';
  }
}

/**
 * Backend processes that a killed server left behind. Most exit by themselves, but one in a long calculation runs to its
 * end and prevents a new server from starting. Found on Linux only, and only where /proc may be read.
 */
export function findOrphans(clusterDir: string): number[] {
  let pids: number[];
  try {
    pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
  return pids.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === clusterDir && readStat(pid)?.command === 'postgres';
    } catch {
      return false;
    }
  });
}

function commandOf(pid: number): string | undefined {
  const stat = readStat(pid);
  if (stat) return stat.command;
  try {
    const path = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return path.slice(path.lastIndexOf('/') + 1);
  } catch {
    return undefined;
  }
}

function readStat(pid: number): { command: string; state: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command is in parentheses and may contain some itself.
    const end = text.lastIndexOf(')');
    return { command: text.slice(text.indexOf('(') + 1, end), state: text.charAt(end + 2) };
  } catch {
    return undefined;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
