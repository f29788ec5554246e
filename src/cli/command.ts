import type { FastifyBaseLogger } from 'fastify';
import type { Upgrade } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../settings.ts';
import type { Screen } from './show-progress.ts';

/** The command line cannot be carried out as it was typed, and nothing was done. The process ends with 2. */
export class UsageError extends Error {}

export type OptionSpec = {
  /** What the help calls the value, such as EMAIL. Without it the option is a switch. */
  value?: string;
  meaning: string;
  required?: true;
  /** May be given several times. */
  repeated?: true;
};
export type OptionSpecs = Record<string, OptionSpec>;
export type ArgumentSpec = { name: string; meaning: string; required: boolean };

type GivenOption<Spec> = Spec extends { value: string }
  ? Spec extends { repeated: true }
    ? string[]
    : Spec extends { required: true }
      ? string
      : string | undefined
  : boolean;
type GivenArgument<Spec> = Spec extends { required: true } ? string : string | undefined;

/** What was typed, read by the command's own table: required values are there, and nothing else is. */
export type Given<Options, Argument> = {
  options: { [Name in keyof Options]: GivenOption<Options[Name]> };
  argument: GivenArgument<Argument>;
};

export type Answer = {
  /** The one JSON value that `--json` prints. */
  value?: unknown;
  /** What is printed without `--json`; absent, the value is laid out in aligned lines. */
  text?: string;
  /** For the reader's eyes: goes to standard error, and not with `--json`. */
  note?: string;
  exitCode?: number;
};

/** What a command may ask for. Nothing is read or opened before it does, so that help needs neither settings nor a database. */
export type Surroundings = {
  settings(): Settings;
  log(): FastifyBaseLogger;
  /** Closed when the command has ended. Refused on a database that is not up to date. */
  platform(): Promise<Platform>;
  /** Brings the database up to date; the names of the migrations that were applied. */
  migrate(upgrade: Upgrade): Promise<string[]>;
  /** Progress and remarks. */
  screen: Screen;
  /** Where outcomes go, for commands that print as they run. */
  out: Screen;
  env: Record<string, string | undefined>;
};

export type Command = {
  /** One word, or a family and a verb: `org create`. */
  name: string;
  summary: string;
  argument?: ArgumentSpec;
  options: OptionSpecs;
  /** What follows `dukkan` in a line that can be copied. */
  example: string;
  /** Paragraphs at the end of its help. */
  details?: string;
  /** False for what runs on and has no outcome to print. */
  answers: boolean;
  run(surroundings: Surroundings, given: Given<OptionSpecs, ArgumentSpec | undefined>): Promise<Answer>;
};

/** Gives `run` the types that follow from the options and the argument beside it. */
export function defineCommand<
  const Options extends OptionSpecs,
  const Argument extends ArgumentSpec | undefined = undefined,
>(
  command: Omit<Command, 'options' | 'argument' | 'answers' | 'run'> & {
    options?: Options;
    argument?: Argument;
    answers?: boolean;
    run(surroundings: Surroundings, given: Given<Options, Argument>): Promise<Answer>;
  },
): Command {
  // The line is read by this very table, which is what makes the cast true.
  return { options: {}, answers: true, ...command } as unknown as Command;
}
