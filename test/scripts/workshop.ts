import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The launch scripts in small projects of their own, with the real npm. Their `node` package fetches its program in an install
 * script, as the real one does, but only wraps the Node that runs the tests; so nothing comes from the network.
 */
let workshop: string;
let projects = 0;
let installed: Promise<string> | undefined;
export const groups: number[] = [];

/** Without the variables that npm and vitest add. */
export const environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? tmpdir(),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

/** To be called before the tests of a file. */
export function openWorkshop(): void {
  workshop = realpathSync(mkdtempSync(join(tmpdir(), 'dukkan scripts ')));
  const packages = [writeNode('1.0.0'), writeNode('1.0.1'), writeTools()];
  // Together: npm takes 0.6 s of CPU to start.
  execFileSync('npm', ['pack', ...packages], { cwd: workshop, env: environment, stdio: 'ignore' });
  for (const version of ['1.0.0', '1.0.1']) makeTemplate(version);
}

/** Ends what a test has started, also when it failed halfway. */
export function endProcesses(): void {
  for (const group of groups.splice(0).filter(Boolean)) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {}
  }
}

export function closeWorkshop(): void {
  installed = undefined;
  rmSync(workshop, { recursive: true, force: true });
}

function writeNode(version: string): string {
  const folder = join(workshop, `node-${version}`);
  mkdirSync(folder);
  writeJson(join(folder, 'package.json'), {
    name: 'node',
    version,
    bin: { node: 'bin/node' },
    scripts: { preinstall: 'node fetch.cjs' },
    engines: { node: '>=99' },
  });
  writeFileSync(
    join(folder, 'fetch.cjs'),
    `const fs = require('node:fs');
    fs.mkdirSync('bin', { recursive: true });
    fs.writeFileSync('bin/node', '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n', { mode: 0o755 });
    fs.appendFileSync(process.env.INIT_CWD + '/installs.txt', 'installed\\n');`,
  );
  return folder;
}

function writeTools(): string {
  const folder = join(workshop, 'tools');
  mkdirSync(folder);
  const names = ['biome', 'tsc', 'knip', 'depcruise', 'vitest'];
  writeJson(join(folder, 'package.json'), {
    name: 'tools',
    version: '1.0.0',
    bin: Object.fromEntries(names.map((name) => [name, 'tool.cjs'])),
  });
  writeFileSync(
    join(folder, 'tool.cjs'),
    `#!/usr/bin/env node
    const name = require('node:path').basename(process.argv[1]);
    console.log('ran ' + [name, ...process.argv.slice(2)].join(' '));
    if (!process.env.PATH.startsWith(process.cwd() + '/node_modules/.bin:')) process.exit(99);
    if (process.env.FAILING === name) process.exit(3);`,
    { mode: 0o755 },
  );
  return folder;
}

function makeTemplate(version: string): void {
  const folder = join(workshop, `template-${version}`);
  mkdirSync(join(folder, 'src'), { recursive: true });
  cpSync(resolve(import.meta.dirname, '../../scripts'), join(folder, 'scripts'), { recursive: true });
  for (const file of [`node-${version}.tgz`, 'tools-1.0.0.tgz']) cpSync(join(workshop, file), join(folder, file));
  writeJson(join(folder, 'package.json'), {
    name: 'shop',
    version: '1.0.0',
    type: 'module',
    dependencies: { node: `file:node-${version}.tgz` },
    devDependencies: { tools: 'file:tools-1.0.0.tgz' },
    allowScripts: { node: true },
  });
  writeFileSync(
    join(folder, 'src/main.ts'),
    `const said: string[] = process.argv.slice(2);
    if (said[0] === 'exit') process.exit(Number(said[1]));
    if (said[0] === 'kill') process.kill(process.pid, 'SIGKILL');
    if (said[0] === 'serve') {
      let terms = 0;
      process.on('SIGTERM', () => console.log('term ' + ++terms));
      process.on('SIGHUP', () => console.log('hup'));
      if (process.connected) process.once('message', (text) => console.log(text));
      process.on('SIGINT', () => process.exit(40 + terms));
      setInterval(() => {}, 60_000);
    }
    console.log(JSON.stringify({ said, cwd: process.cwd(), ...(said[0] === 'serve' && { pid: process.pid }) }));`,
  );
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'];
  execFileSync('npm', args, { cwd: folder, env: environment, stdio: 'ignore' });
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, JSON.stringify(content, null, 2));
}

export function makeProject(): string {
  projects += 1;
  const folder = join(workshop, `project ${projects}`);
  cpSync(join(workshop, 'template-1.0.0'), folder, { recursive: true });
  return folder;
}

/** A project with its dependencies. They are installed once and copied: an `npm ci` takes more than a second of CPU. */
export async function makeInstalledProject(): Promise<string> {
  installed ??= installProject();
  const source = await installed;
  projects += 1;
  const folder = join(workshop, `project ${projects}`);
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

async function installProject(): Promise<string> {
  const folder = makeProject();
  const { code, stderr } = await run(folder, ['install-when-stale.mjs']);
  if (code !== 0) throw new Error(`the project could not be installed: ${stderr}`);
  return folder;
}

export type Outcome = { code: number | null; stdout: string; stderr: string };

export function start(
  folder: string,
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): ChildProcess {
  const [script = '', ...rest] = args;
  const child = spawn(process.execPath, [join(folder, 'scripts', script), ...rest], {
    // A process group of its own, which `endProcesses` ends when a test has failed halfway.
    detached: true,
    cwd: options.cwd ?? folder,
    env: { ...environment, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  groups.push(child.pid ?? 0);
  return child;
}

export async function run(...parameters: Parameters<typeof start>): Promise<Outcome> {
  const child = start(...parameters);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    outcome.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    outcome.stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...outcome, code };
}

export function countInstalls(folder: string): number {
  return readFileSync(join(folder, 'installs.txt'), 'utf8').trim().split('\n').length;
}

/** Replaces the lockfile by one that asks for version 1.0.1 of the `node` package. */
export function updateLockfile(folder: string): void {
  for (const file of ['package.json', 'package-lock.json', 'node-1.0.1.tgz']) {
    cpSync(join(workshop, 'template-1.0.1', file), join(folder, file));
  }
}
