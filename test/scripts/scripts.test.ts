import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

/**
 * The launch scripts in small projects of their own, with the real npm. Their `node` package fetches its program in an install
 * script, as the real one does, but only wraps the Node that runs the tests; so nothing comes from the network.
 */
let workshop: string;
let projects = 0;
const groups: number[] = [];

/** What a host has: no trace of the npm or the vitest that runs this. */
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? tmpdir(),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

beforeAll(() => {
  workshop = realpathSync(mkdtempSync(join(tmpdir(), 'dukkan scripts ')));
  for (const version of ['1.0.0', '1.0.1']) packNode(version);
  packTools();
  for (const version of ['1.0.0', '1.0.1']) makeTemplate(version);
});

afterEach(() => {
  for (const group of groups.splice(0).filter(Boolean)) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {}
  }
});

afterAll(() => rmSync(workshop, { recursive: true, force: true }));

function packNode(version: string): void {
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
  execFileSync('npm', ['pack', '--pack-destination', workshop], { cwd: folder, env: environment, stdio: 'ignore' });
}

function packTools(): void {
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
  execFileSync('npm', ['pack', '--pack-destination', workshop], { cwd: folder, env: environment, stdio: 'ignore' });
}

function makeTemplate(version: string): void {
  const folder = join(workshop, `template-${version}`);
  mkdirSync(join(folder, 'src'), { recursive: true });
  cpSync(resolve(import.meta.dirname, '../scripts'), join(folder, 'scripts'), { recursive: true });
  for (const file of [`node-${version}.tgz`, 'tools-1.0.0.tgz']) cpSync(join(workshop, file), join(folder, file));
  writeJson(join(folder, 'package.json'), {
    name: 'shop',
    version: '1.0.0',
    type: 'module',
    dependencies: { node: `file:node-${version}.tgz`, tools: 'file:tools-1.0.0.tgz' },
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

function makeProject(): string {
  projects += 1;
  const folder = join(workshop, `project ${projects}`);
  cpSync(join(workshop, 'template-1.0.0'), folder, { recursive: true });
  return folder;
}

type Outcome = { code: number | null; stdout: string; stderr: string };

function start(
  folder: string,
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): ChildProcess {
  const [script = '', ...rest] = args;
  const child = spawn(process.execPath, [join(folder, 'scripts', script), ...rest], {
    // A group of its own, so that nothing is left when a test fails halfway.
    detached: true,
    cwd: options.cwd ?? folder,
    env: { ...environment, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  groups.push(child.pid ?? 0);
  return child;
}

async function run(...parameters: Parameters<typeof start>): Promise<Outcome> {
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

function countInstalls(folder: string): number {
  return readFileSync(join(folder, 'installs.txt'), 'utf8').trim().split('\n').length;
}

const INSTALLING = /^Installing dependencies.*\n$/;

describe('installing', () => {
  it('happens before the first run and not before the second', async () => {
    const folder = makeProject();
    const first = await run(folder, ['run.mjs', 'src/main.ts', 'a', 'b c']);
    expect(first).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ said: ['a', 'b c'], cwd: folder })}\n`,
      // No warning about engines either, which this `node` package provokes on purpose.
      stderr: expect.stringMatching(INSTALLING),
    });
    const second = await run(folder, ['run.mjs', 'src/main.ts', 'a', 'b c']);
    expect(second).toEqual({ ...first, stderr: '' });
    expect(countInstalls(folder)).toBe(1);
  });

  it('is left alone after an npm ci by hand', async () => {
    const folder = makeProject();
    execFileSync('npm', ['ci'], { cwd: folder, env: environment, stdio: 'ignore' });
    expect(await run(folder, ['run.mjs', 'src/main.ts'])).toMatchObject({ code: 0, stderr: '' });
    expect(countInstalls(folder)).toBe(1);
  });

  it('happens again when the lockfile asks for another version', async () => {
    const folder = makeProject();
    await run(folder, ['install-when-stale.mjs']);
    for (const file of ['package.json', 'package-lock.json', 'node-1.0.1.tgz']) {
      cpSync(join(workshop, 'template-1.0.1', file), join(folder, file));
    }
    const outcome = await run(folder, ['install-when-stale.mjs']);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(INSTALLING) });
    expect(readFileSync(join(folder, 'node_modules/node/package.json'), 'utf8')).toContain('"version": "1.0.1"');
  });

  it('happens again after an interrupted install, a removed folder and a Node that does not run', async () => {
    const folder = makeProject();
    await run(folder, ['install-when-stale.mjs']);
    const modules = join(folder, 'node_modules');
    const damages = [
      () => {
        rmSync(join(modules, '.installed-for'));
        rmSync(join(modules, '.package-lock.json'));
      },
      () => rmSync(modules, { recursive: true }),
      () => {
        writeFileSync(join(modules, 'node/bin/node'), '#!/bin/sh\nexit 1\n');
        chmodSync(join(modules, 'node/bin/node'), 0o755);
      },
      () => rmSync(join(modules, '.bin/node')),
    ];
    for (const [index, damage] of damages.entries()) {
      damage();
      const outcome = await run(folder, ['run.mjs', 'src/main.ts']);
      expect(outcome).toMatchObject({ code: 0, stderr: expect.stringMatching(INSTALLING) });
      expect(countInstalls(folder)).toBe(index + 2);
    }
  });

  it('happens once when several start together', async () => {
    const folder = makeProject();
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => run(folder, ['run.mjs', 'src/main.ts', String(n)])));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(outcomes.map(({ stdout }) => JSON.parse(stdout).said)).toEqual([['1'], ['2'], ['3'], ['4']]);
    expect(outcomes.filter(({ stderr }) => INSTALLING.test(stderr))).toHaveLength(1);
    expect(countInstalls(folder)).toBe(1);
  });

  it('shows what npm said when it fails, and runs nothing', async () => {
    const folder = makeProject();
    rmSync(join(folder, 'tools-1.0.0.tgz'));
    const outcome = await run(folder, ['run.mjs', 'src/main.ts'], { env: { npm_config_cache: join(folder, 'cache') } });
    expect(outcome.code).toBeGreaterThan(0);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/npm error[\s\S]*tools-1\.0\.0\.tgz[\s\S]*npm ci failed with code \d+\n$/);
  });

  it('says why Node is missing where install scripts are forbidden', async () => {
    const folder = makeProject();
    const outcome = await run(folder, ['run.mjs', 'src/main.ts'], { env: { npm_config_ignore_scripts: 'true' } });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/node_modules\/\.bin\/node does not run.*--ignore-scripts=false\n$/);
  });
});

describe('running', () => {
  let folder: string;
  beforeAll(async () => {
    folder = makeProject();
    expect((await run(folder, ['install-when-stale.mjs'])).code).toBe(0);
  });

  it('leaves with the code of the program, or 128 and the number of the signal that ended it', async () => {
    expect((await run(folder, ['run.mjs', 'src/main.ts', 'exit', '7'])).code).toBe(7);
    expect((await run(folder, ['run.mjs', 'src/main.ts', 'kill'])).code).toBe(137);
    expect(await run(folder, ['run.mjs'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
    expect(await run(folder, ['run.mjs', 'no-such-tool'])).toMatchObject({
      code: 127,
      stderr: expect.stringMatching(/^Cannot run .*no-such-tool/),
    });
  });

  it('runs the installed tools by name', async () => {
    expect(await run(folder, ['run.mjs', 'biome', 'format', '.'])).toMatchObject({
      code: 0,
      stdout: 'ran biome format .\n',
    });
  });

  it('is the dukkan command in whatever folder it is called', async () => {
    const elsewhere = realpathSync(tmpdir());
    const outcome = await run(folder, ['dukkan.mjs', 'token', '--org', 'x'], { cwd: elsewhere });
    expect(JSON.parse(outcome.stdout)).toEqual({ said: ['token', '--org', 'x'], cwd: elsewhere });
    expect(statSync(resolve(import.meta.dirname, '../scripts/dukkan.mjs')).mode & 0o111).toBe(0o111);
  });

  it('passes each signal on once and waits for the program to end', async () => {
    const child = start(folder, ['run.mjs', 'src/main.ts', 'serve']);
    const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const nextLine = async () => (await lines.next()).value;
    expect(await nextLine()).toMatch(/serve/);
    child.kill('SIGTERM');
    expect(await nextLine()).toBe('term 1');
    child.kill('SIGTERM');
    child.kill('SIGHUP');
    expect(await nextLine()).toBe('hup');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(41);
  });
});

describe('under npm', () => {
  it('ends the program when npm and its shell are gone', async () => {
    const folder = makeProject();
    await run(folder, ['install-when-stale.mjs']);
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs src/main.ts serve; true`], {
      cwd: folder,
      env: { ...environment, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    groups.push(shell.pid ?? 0);
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    const { pid } = JSON.parse((await lines.next()).value ?? '{}') as { pid: number };
    shell.kill('SIGKILL');
    expect((await lines.next()).value).toBe('term 1');
    process.kill(pid, 'SIGINT');
    expect((await lines.next()).done).toBe(true);
  });
});

describe('npm test', () => {
  let folder: string;
  beforeAll(async () => {
    folder = makeProject();
    expect((await run(folder, ['install-when-stale.mjs'])).code).toBe(0);
  });

  const ran = (outcome: Outcome) => outcome.stdout.split('\n').filter((line) => line.startsWith('ran '));

  it('runs every check in order and says how long each took', async () => {
    const outcome = await run(folder, ['test.mjs']);
    expect(outcome.code).toBe(0);
    expect(ran(outcome)).toEqual([
      'ran biome check .',
      'ran tsc --noEmit',
      'ran tsc --noEmit -p console/tsconfig.json',
      'ran tsc --noEmit -p console/tsconfig.node.json',
      'ran knip --no-progress',
      'ran depcruise --config .dependency-cruiser.cjs src',
      'ran vitest run',
    ]);
    const passed = /^(?:Lint|Types|Unused code|Import rules|Tests): passed in \d+\.\d s$/gm;
    expect(outcome.stdout.match(passed)).toHaveLength(5);
  });

  it('stops at the first check that fails, with its code', async () => {
    const outcome = await run(folder, ['test.mjs'], { env: { FAILING: 'tsc' } });
    expect(outcome.code).toBe(3);
    expect(ran(outcome)).toEqual(['ran biome check .', 'ran tsc --noEmit']);
    expect(outcome.stdout).toMatch(/Types: failed with code 3 in/);
  });

  it('hands arguments to vitest and leaves out the rest', async () => {
    const outcome = await run(folder, ['test.mjs', 'src/some.test.ts', '-t', 'a name'], { cwd: tmpdir() });
    expect(outcome.code).toBe(0);
    expect(ran(outcome)).toEqual(['ran vitest run src/some.test.ts -t a name']);
  });

  describe('in a git checkout', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: folder,
        env: environment,
        stdio: 'ignore',
      });
    const write = (file: string) => {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), '');
    };
    beforeAll(() => {
      writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
      git('init');
      git('add', '.');
      git('commit', '--message', 'first');
    });

    it('checks the words of tracked files', async () => {
      const outcome = await run(folder, ['test.mjs']);
      expect(outcome.stdout).toMatch(/^No banned words\.\nWords: passed in/m);
    });

    it('limits --changed to the folders of changed files', async () => {
      write('src/modules/orders/place/place-order.ts');
      write('src/platform/money.ts');
      git('add', 'src/modules');
      const uncommitted = ['src/modules/orders/', 'src/platform/money'].join(' ');
      expect(ran(await run(folder, ['test.mjs', '--changed']))).toEqual([`ran vitest run ${uncommitted} --changed`]);
      git('commit', '--message', 'second');
      const since = await run(folder, ['test.mjs', '--changed', 'HEAD~1']);
      expect(ran(since)).toEqual([`ran vitest run ${uncommitted} --changed HEAD~1`]);
      const own = await run(folder, ['test.mjs', 'src/cli/', '--changed']);
      expect(ran(own)).toEqual(['ran vitest run src/cli/ --changed']);
    });
  });
});
