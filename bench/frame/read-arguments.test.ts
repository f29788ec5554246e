import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Bench } from './define-bench.ts';
import { readBenchArguments, WrongArguments } from './read-arguments.ts';
import { writeResults } from './write-results.ts';

const read = (...args: string[]) => readBenchArguments(args, ['catalog', 'http']);
const PACE = { rounds: 9, seconds: 1.5, warmUpSeconds: 6 };

test('without a word everything is measured, and nothing of the repository is written', () => {
  expect(read()).toMatchObject({ names: ['catalog', 'http'], save: false, check: false, forTheEye: false });
  expect(read().paceOf(PACE)).toEqual(PACE);
  expect(read('http', '--save', '--rounds', '3')).toMatchObject({ names: ['http'], save: true, forTheEye: false });
  expect(read('--rounds', '3', '--seconds', '0.2').paceOf(PACE)).toEqual({ ...PACE, rounds: 3, seconds: 0.2 });
  expect(read('--quick')).toMatchObject({ forTheEye: true });
  expect(read('--quick').paceOf(PACE).rounds).toBe(1);
  expect(read('--data', 'folder', '--out', 'file.json')).toMatchObject({
    data: 'folder',
    out: 'file.json',
    forTheEye: true,
  });
  expect(read('--statements')).toMatchObject({ statements: true, forTheEye: true });
  expect(read()).toMatchObject({ statements: false });
});

test.each([
  [['htpt'], 'No bench htpt; did you mean http?'],
  [['xyzzyplugh'], 'No bench xyzzyplugh; there are catalog, http'],
  [['--sav'], 'No option --sav; did you mean --save?'],
  [['-x'], 'No option -x; there are --check, --quick, --save'],
  [['--rounds'], '--rounds'],
  [['--rounds', 'many'], '--rounds: "many" is not a number of rounds'],
  [['--seconds', '-1'], '--seconds'],
  [['--seconds=Infinity'], '--seconds: "Infinity"'],
  [['--save', '--quick'], '--save keeps full measurements of our own server only'],
  [['--save', '--only', 'feed'], '--save keeps full measurements of our own server only'],
  [['--save', '--data', 'folder'], '--save keeps full measurements of our own server only'],
  [['--save', '--statements'], '--save keeps full measurements of our own server only'],
  [['--save', '--profile', 'folder'], '--save keeps full measurements of our own server only'],
])('%j is refused before anything is measured', (args, message) => {
  expect(() => read(...args)).toThrow(WrongArguments);
  expect(() => read(...args)).toThrow(message);
});

test('results go where git does not see them, unless they are to be saved', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-results-'));
  const bench: Bench = { name: 'none', pace: PACE, terms: [], measure: () => Promise.reject(new Error('not here')) };
  const measured = { samples: new Map(), memoryMb: [1.23456789] };
  const results = pathToFileURL(`${folder}/`);
  try {
    const latest = await writeResults(bench, PACE, [], measured, { save: false, results });
    const saved = await writeResults(bench, PACE, [], measured, { save: true, results });
    expect([latest, saved]).toEqual([path.join(folder, 'latest', 'none.json'), path.join(folder, 'none.json')]);
    expect((await readdir(folder)).sort()).toEqual(['latest', 'none.json']);
    expect(JSON.parse(await readFile(saved, 'utf8'))).toMatchObject({ name: 'none', memoryMbAfterEachRound: [1.2346] });
  } finally {
    await rm(folder, { recursive: true });
  }
  const ignored = await readFile(new URL('../../.gitignore', import.meta.url), 'utf8');
  expect(ignored.split('\n')).toContain('bench/results/latest/');
});
