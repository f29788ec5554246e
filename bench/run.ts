import { mkdir, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUpOnSignals, createCleanUp } from './frame/clean-up.ts';
import type { Bench, Pace } from './frame/define-bench.ts';
import { summarize } from './frame/figures.ts';
import { openFrame } from './frame/frame.ts';
import { GIVEN_SERVER } from './frame/given-server.ts';
import { formatTable } from './frame/table.ts';
import { writeResults } from './frame/write-results.ts';

const OPTIONS = {
  check: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  profile: { type: 'string' },
} as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

const QUICK: Pace = { rounds: 1, seconds: 0.5, warmUpSeconds: 0.5 };
const cleanUp = createCleanUp();

/** An entry is a file beside this one that exports a bench; its name is the file's. */
async function findEntries(): Promise<string[]> {
  const files = await readdir(new URL('.', import.meta.url));
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'run.ts')
    .map((file) => path.basename(file, '.ts'));
}

function choosePace(bench: Bench, options: Options): Pace {
  const pace = options.quick ? QUICK : bench.pace;
  const positive = (text: string | undefined, fallback: number) => {
    if (text === undefined) return fallback;
    if (!(Number(text) > 0)) throw new Error(`"${text}" is not a number of rounds or seconds`);
    return Number(text);
  };
  return { ...pace, rounds: positive(options.rounds, pace.rounds), seconds: positive(options.seconds, pace.seconds) };
}

/** True when every promise was kept. */
async function runBench(bench: Bench, options: Options): Promise<boolean> {
  const pace = choosePace(bench, options);
  const profileFolder = options.profile === undefined ? undefined : path.resolve(options.profile);
  if (profileFolder !== undefined) await mkdir(profileFolder, { recursive: true });
  const showProgress = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  try {
    const frame = await openFrame(cleanUp, { profileFolder });
    const measured = await bench.measure(frame, pace, showProgress, options.only);
    showProgress('');
    const rows = summarize(
      bench.terms.filter(({ name }) => measured.samples.has(name)),
      measured.samples,
    );
    console.log(
      `\n${bench.name}: ${pace.rounds} interleaved rounds of ${pace.seconds} s, medians; Node ${process.version}, ${availableParallelism()} cores`,
    );
    console.log(formatTable(rows));
    // Half-measures and slowed runs are for the eye only, and another server's figures are not to be held against ours.
    const isOurs =
      !options.quick && options.only === undefined && profileFolder === undefined && GIVEN_SERVER === undefined;
    if (isOurs) await writeResults(bench, pace, rows, measured);
    return rows.every((row) => row.misses.length === 0);
  } finally {
    await cleanUp.run();
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const entries = await findEntries();
  const unknown = positionals.find((name) => !entries.includes(name));
  if (unknown !== undefined) throw new Error(`No bench ${unknown}; there are ${entries.join(', ')}`);
  let allKept = true;
  for (const name of positionals.length > 0 ? positionals : entries) {
    const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench };
    allKept = (await runBench(bench, values)) && allKept;
  }
  return values.check && !allKept ? 1 : 0;
}

cleanUpOnSignals(cleanUp);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
