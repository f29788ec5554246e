import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  closeWorkshop,
  countInstalls,
  endProcesses,
  environment,
  groups,
  makeInstalledProject,
  makeProject,
  type Outcome,
  openWorkshop,
  run,
  start,
  updateLockfile,
} from './workshop.ts';

beforeAll(openWorkshop);
afterEach(endProcesses);
afterAll(closeWorkshop);

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

  it('leaves the tools to the first run of the tests, which adds them and replaces nothing', async () => {
    const folder = makeProject();
    await run(folder, ['run.mjs', 'src/main.ts']);
    const program = join(folder, 'node_modules/node/bin/node');
    const { ino, mtimeMs } = statSync(program);
    expect(existsSync(join(folder, 'node_modules/tools'))).toBe(false);
    const outcome = await run(folder, ['run.mjs', 'vitest', 'run']);
    expect(outcome).toEqual({
      code: 0,
      stdout: 'ran vitest run\n',
      stderr: expect.stringMatching(/^Installing the packages of the tests.*\n$/),
    });
    expect(statSync(program)).toMatchObject({ ino, mtimeMs });
    expect(countInstalls(folder)).toBe(1);
    // They stay when something else asks for less, and nothing of the install is left behind.
    expect(await run(folder, ['run.mjs', 'src/main.ts'])).toMatchObject({ code: 0, stderr: '' });
    updateLockfile(folder);
    await run(folder, ['run.mjs', 'src/main.ts']);
    expect(existsSync(join(folder, 'node_modules/tools'))).toBe(true);
    expect(existsSync(join(folder, 'npm-shrinkwrap.json'))).toBe(false);
  });

  it('is left alone after an npm ci by hand', async () => {
    const folder = makeProject();
    execFileSync('npm', ['ci'], { cwd: folder, env: environment, stdio: 'ignore' });
    expect(await run(folder, ['run.mjs', 'src/main.ts'])).toMatchObject({ code: 0, stderr: '' });
    expect(countInstalls(folder)).toBe(1);
  });

  it('happens again when the lockfile asks for another version', async () => {
    const folder = await makeInstalledProject();
    updateLockfile(folder);
    const outcome = await run(folder, ['install-when-stale.mjs']);
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(INSTALLING) });
    expect(readFileSync(join(folder, 'node_modules/node/package.json'), 'utf8')).toContain('"version": "1.0.1"');
  });

  it('happens again after an interrupted install, a removed folder and a Node that does not run', async () => {
    const folder = await makeInstalledProject();
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
    const outcome = await run(folder, ['run.mjs', 'vitest'], { env: { npm_config_cache: join(folder, 'cache') } });
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
    folder = await makeInstalledProject();
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
    expect(statSync(resolve(import.meta.dirname, '../../scripts/dukkan.mjs')).mode & 0o111).toBe(0o111);
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

describe('npm start', () => {
  it('reports to the service that the console is built, and ends with it, also when the service ends by itself', async () => {
    const folder = await makeInstalledProject();
    const child = start(folder, ['start.mjs']);
    const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const { pid } = JSON.parse((await lines.next()).value ?? '{}') as { pid: number };
    expect((await lines.next()).value).toBe('settled');
    process.kill(pid, 'SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(40);
  });
});

describe('under npm', () => {
  it('ends the program when npm and its shell are gone', async () => {
    const folder = await makeInstalledProject();
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
    folder = await makeInstalledProject();
  });

  const ran = (outcome: Outcome) => outcome.stdout.split('\n').filter((line) => line.startsWith('ran '));

  it('runs every check, then the tests, and says how long each took', async () => {
    const outcome = await run(folder, ['test.mjs']);
    expect(outcome.code).toBe(0);
    const cache = 'node_modules/.cache/checks';
    const types = (name: string) =>
      `ran tsc --noEmit --checkers 1 --incremental --tsBuildInfoFile ${cache}/${name}.tsbuildinfo`;
    expect(ran(outcome).slice(0, -1).toSorted()).toEqual([
      'ran biome check .',
      `ran depcruise --config .dependency-cruiser.cjs --cache ${cache}/imports --cache-strategy content src`,
      `ran knip --no-progress --cache --cache-location ${cache}/unused`,
      `${types('types-of-the-console-tests')} -p console/tsconfig.node.json`,
      `${types('types-of-the-console')} -p console/tsconfig.json`,
      types('types'),
    ]);
    expect(ran(outcome).at(-1)).toBe('ran vitest run');
    const passed = /^(?:Lint|Types|Unused code|Import rules|Tests): passed in \d+\.\d s$/gm;
    expect(outcome.stdout.match(passed)).toHaveLength(5);
  });

  it('runs no tests after a check that fails, and exits with its code', async () => {
    const outcome = await run(folder, ['test.mjs'], { env: { FAILING: 'tsc' } });
    expect(outcome.code).toBe(3);
    expect(ran(outcome)).toContainEqual(expect.stringMatching(/^ran tsc --noEmit/));
    expect(ran(outcome)).not.toContain('ran vitest run');
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
