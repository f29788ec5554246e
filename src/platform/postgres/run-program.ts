import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/** The server and its programs see none of our variables: no secrets, and no PG* or LD_* that would bend them. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const keep = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'TEMP', 'TMP'] : ['PATH'];
  const kept = keep.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program to its end; a failure carries what it printed last. */
export function runProgram(program: string, args: string[], options: { account: Account | undefined }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, {
    env: serverEnvironment(),
    // The current folder may be one that the account cannot even stand in.
    cwd: process.platform === 'win32' ? undefined : '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', reject);
  child.on('close', (code, signal) => {
    if (code === 0) resolve();
    else reject(new Error(`${program} failed (${signal ?? `code ${code}`}): ${lastErrorLine(output)}`));
  });
  return promise;
}

/** The line that tells most: PostgreSQL's own complaint when there is one, else whatever came last. */
export function lastErrorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const complaint = lines.findLast((line) => /\b(?:FATAL|PANIC|ERROR|error):/.test(line));
  return (complaint ?? lines.at(-1) ?? 'no output').trim();
}
