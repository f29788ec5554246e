import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

/** The server and its programs get none of the service's variables: no secrets, and no PG* or LD_* that change them. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const names = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'TEMP', 'TMP'] : ['PATH'];
  const values = names.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(values), LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program to its end. The error of a failure carries the last line it printed. */
export async function runProgram(
  program: string,
  args: string[],
  { account }: { account: Account | undefined },
): Promise<void> {
  // The account may lack access to the current folder.
  const cwd = process.platform === 'win32' ? undefined : '/';
  const user = account && { uid: account.uid, gid: account.gid };
  try {
    await promisify(execFile)(program, args, { env: serverEnvironment(), cwd, ...user });
  } catch (error) {
    const { code, signal, stdout, stderr } = error as ExecFileError;
    if (stdout === undefined) throw error;
    throw new Error(`${program} failed (${signal ?? `code ${code}`}): ${lastErrorLine(`${stdout}\n${stderr}`)}`);
  }
}

type ExecFileError = { code: unknown; signal: string | null; stdout?: string; stderr?: string };

/** The last error that PostgreSQL reported, or the last line when there is none. */
export function lastErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reported = lines.findLast((line) => /\b(?:FATAL|PANIC|ERROR|error):/.test(line));
  return (reported ?? lines.at(-1) ?? 'no output').trim();
}
