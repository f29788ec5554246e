import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programFile } from '../../../../test/start/program.ts';

export type WorkerProcess = {
  child: ChildProcess;
  /** Empty unless it was given the API role as well. */
  baseUrl: string;
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** A worker as an operator would run it beside the API: a process of its own on the same database. */
export async function startWorkerProcess(
  settings: Record<string, string>,
  complaints: 'inherit' | 'ignore' = 'inherit',
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [programFile(), 'serve'], {
    env: { ...process.env, DUKKAN_ROLES: 'worker', DUKKAN_DEMO: 'false', LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', complaints],
  });
  const exited = once(child, 'exit');
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('worker is running')) resolve('');
      const address = /ready at (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    void exited.then(([code]) => reject(new Error(`the worker ended with ${code}`)));
  });
  const baseUrl = await ready;
  return {
    child,
    baseUrl,
    async end(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
