import { parseArgs } from 'node:util';
import { findClosestWord } from '../../src/platform/text/closest-word.ts';
import type { Pace } from './define-bench.ts';
import { GIVEN_SERVER } from './given-server.ts';

const OPTIONS = {
  check: { type: 'boolean' },
  quick: { type: 'boolean' },
  save: { type: 'boolean' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  profile: { type: 'string' },
  statements: { type: 'boolean' },
  data: { type: 'string' },
  out: { type: 'string' },
} as const;

export type BenchArguments = {
  names: string[];
  /** A missed target is a failure. */
  check: boolean;
  /** The results of the repository are written anew. */
  save: boolean;
  /** A run for the eye only writes nothing at all. */
  forTheEye: boolean;
  quick: boolean;
  /** Folder of data for entries that measure on files. */
  data: string | undefined;
  /** File that such an entry's figures go to as well. */
  out: string | undefined;
  profile: string | undefined;
  /** Adds the statements of PostgreSQL that cost most, for entries that can. */
  statements: boolean;
  /** Part of the names of the cases to measure; absent: all of them. */
  only: string | undefined;
  paceOf(pace: Pace): Pace;
};

const QUICK: Pace = { rounds: 1, seconds: 0.5, warmUpSeconds: 0.5 };

/** What was typed cannot be run. */
export class WrongArguments extends Error {}

/** Everything is checked before the first measurement, which may come an hour before the last. */
export function readBenchArguments(args: string[], entries: readonly string[]): BenchArguments {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !entries.includes(name));
  if (unknown !== undefined) throw new WrongArguments(`No bench ${unknown}${meant(unknown, entries)}`);
  // Half-measures and slowed runs; and another server's figures are not to be held against ours.
  const forTheEye =
    values.quick === true ||
    values.profile !== undefined ||
    values.statements === true ||
    values.only !== undefined ||
    values.data !== undefined ||
    GIVEN_SERVER !== undefined;
  if (values.save && forTheEye) {
    throw new WrongArguments(
      '--save keeps full measurements of our own server only: leave out --quick, --only, --profile, --statements, --data and BENCH_DATABASE_URL',
    );
  }
  const rounds = readPositive('rounds', values.rounds);
  const seconds = readPositive('seconds', values.seconds);
  return {
    names: positionals.length > 0 ? positionals : [...entries],
    check: values.check ?? false,
    save: values.save ?? false,
    forTheEye,
    quick: values.quick ?? false,
    data: values.data,
    out: values.out,
    profile: values.profile,
    only: values.only,
    statements: values.statements ?? false,
    paceOf(pace) {
      const chosen = values.quick ? QUICK : pace;
      return { ...chosen, rounds: rounds ?? chosen.rounds, seconds: seconds ?? chosen.seconds };
    },
  };
}

function parse(args: string[]) {
  const { tokens } = parseArgs({ args, options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(OPTIONS, token.name)) {
      throw new WrongArguments(
        `No option ${token.rawName}${meant(
          token.rawName,
          Object.keys(OPTIONS).map((name) => `--${name}`),
        )}`,
      );
    }
  }
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new WrongArguments(error instanceof Error ? error.message : String(error));
  }
}

function meant(typed: string, known: readonly string[]): string {
  const closest = findClosestWord(typed, known);
  return closest === undefined ? `; there are ${known.join(', ')}` : `; did you mean ${closest}?`;
}

function readPositive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!(Number(text) > 0) || !Number.isFinite(Number(text))) {
    throw new WrongArguments(`--${name}: "${text}" is not a number of ${name}`);
  }
  return Number(text);
}
