import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programFile } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export type Outcome = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string };

export type Run = {
  child: ChildProcess;
  ended: Promise<Outcome>;
  out(): string;
};

/** A test that fails may leave some. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The program as an operator runs it, with no settings except those passed in. */
export function run(args: string[], settings: Record<string, string> = {}, program = programFile()): Run {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: { PATH, NODE_COMPILE_CACHE, HOME: tmpdir(), TMPDIR: tmpdir(), PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return { code, signal, out, err };
  });
  return { child, ended, out: () => out };
}

export type ServiceProcess = Run & {
  baseUrl: string;
  stop(signal?: NodeJS.Signals): Promise<Outcome>;
};

/** Starts `serve` and waits until it says where it answers. */
export async function startProcess(settings: Record<string, string>, program?: string): Promise<ServiceProcess> {
  const process_ = run(['serve'], { LOG_LEVEL: 'warn', ...settings }, program);
  const baseUrl = await said(process_, /ready at (http:\S+)/);
  const first = await fetch(`${baseUrl}/api/v1/ping`);
  if (first.status !== 200) throw new Error(`the first ping was answered with ${first.status}`);
  return {
    ...process_,
    baseUrl,
    async stop(signal = 'SIGTERM') {
      process_.child.kill(signal);
      return process_.ended;
    },
  };
}

/** Waits for the first group of the pattern on its output; what it said instead when it ends without. */
export function said({ child, out, ended }: Run, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = pattern.exec(out())?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(({ code, err }) => reject(new Error(`ended with ${code} before it said ${pattern}:\n${err}`)));
  });
}
