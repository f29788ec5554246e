import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { cleanUpOnSignals, createCleanUp } from './frame/clean-up.ts';
import type { Bench } from './frame/define-bench.ts';
import type { Report } from './frame/define-report.ts';
import { summarize } from './frame/figures.ts';
import { openFrame } from './frame/frame.ts';
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

/** True when every promise was kept. */
async function runBench(bench: Bench, options: BenchArguments): Promise<boolean> {
  const pace = options.paceOf(bench.pace);
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
    if (!options.forTheEye) console.log(`Written to ${await writeResults(bench, pace, rows, measured, options)}`);
    return rows.every((row) => row.misses.length === 0);
  } finally {
    await cleanUp.run();
  }
}

/** The same for an entry that needs no service. */
async function runReport({ name, report }: Report, options: BenchArguments): Promise<boolean> {
  const showProgress = (progress: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
  };
  const { text, figures, misses } = await report(options, showProgress, cleanUp).finally(() => cleanUp.run());
  console.log(`\n${name}: Node ${process.version}\n${text}`);
  for (const miss of misses) console.log(miss);
  if (options.out !== undefined) await writeFile(options.out, formatFigures(figures));
  if (!options.forTheEye) console.log(`Written to ${await writeReport(name, figures, options)}`);
  return misses.length === 0;
}

async function main(): Promise<number> {
  const options = readBenchArguments(process.argv.slice(2), await findEntries());
  let allKept = true;
  for (const name of options.names) {
    const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench | Report };
    const kept = 'report' in bench ? await runReport(bench, options) : await runBench(bench, options);
    allKept = kept && allKept;
  }
  return options.check && !allKept ? 1 : 0;
}

cleanUpOnSignals(cleanUp);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = error instanceof WrongArguments ? 2 : 1;
}
