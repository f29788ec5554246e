import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { cleanUpOnSignals, createCleanUp } from './frame/clean-up.ts';
import type { Bench } from './frame/define-bench.ts';
import type { Report } from './frame/define-report.ts';
import { summarize } from './frame/figures.ts';
import { type Frame, openFrame } from './frame/frame.ts';
import { type BenchArguments, readBenchArguments, WrongArguments } from './frame/read-arguments.ts';
import { formatTable } from './frame/table.ts';
import { formatFigures, writeReport, writeResults } from './frame/write-results.ts';

const cleanUp = createCleanUp();

/** An entry is a file beside this one that exports a bench; its name is the file's. */
async function findEntries(): Promise<string[]> {
  const files = await readdir(new URL('.', import.meta.url));
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'run.ts')
    .map((file) => path.basename(file, '.ts'));
}

type Outcome = { missed: boolean; failed: boolean };

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

async function openFrameFor(options: BenchArguments): Promise<Frame> {
  const profileFolder = options.profile === undefined ? undefined : path.resolve(options.profile);
  if (profileFolder !== undefined) await mkdir(profileFolder, { recursive: true });
  return openFrame(cleanUp, { profileFolder });
}

async function runBench(bench: Bench, options: BenchArguments): Promise<Outcome> {
  const pace = options.paceOf(bench.pace);
  try {
    const frame = await openFrameFor(options);
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
    if (!options.forTheEye) console.log(`Written to ${await writeResults(bench, pace, rows, measured, options)}`);
    return { missed: rows.some((row) => row.misses.length > 0), failed: false };
  } finally {
    await cleanUp.run();
  }
}

/** The same for an entry with figures of its own shape. */
async function runReport({ name, report }: Report, options: BenchArguments): Promise<Outcome> {
  try {
    const { text, figures, misses, failures = [] } = await report(options, showProgress, () => openFrameFor(options));
    showProgress('');
    console.log(`\n${name}: Node ${process.version}\n${text}`);
    for (const line of [...misses, ...failures]) console.log(line);
    if (options.out !== undefined) await writeFile(options.out, formatFigures(figures));
    if (!options.forTheEye) console.log(`Written to ${await writeReport(name, figures, options)}`);
    return { missed: misses.length > 0, failed: failures.length > 0 && !options.save };
  } finally {
    await cleanUp.run();
  }
}

async function main(): Promise<number> {
  const options = readBenchArguments(process.argv.slice(2), await findEntries());
  const outcomes: Outcome[] = [];
  for (const name of options.names) {
    const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench | Report };
    outcomes.push('report' in bench ? await runReport(bench, options) : await runBench(bench, options));
  }
  return outcomes.some(({ missed, failed }) => failed || (options.check && missed)) ? 1 : 0;
}

cleanUpOnSignals(cleanUp);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof WrongArguments ? 2 : 1;
}
