import type { FastifyBaseLogger } from 'fastify';
import type { Upgrade } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../settings.ts';
import type { Screen } from './show-progress.ts';

/** The command line is invalid and nothing was done. The exit code is 2. */
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

type ParsedOption<Spec> = Spec extends { value: string }
  ? Spec extends { repeated: true }
    ? string[]
    : Spec extends { required: true }
      ? string
      : string | undefined
  : boolean;
type ParsedArgument<Spec> = Spec extends { required: true } ? string : string | undefined;

/** The parsed command line. Required values are present, unknown options were refused. */
export type ParsedArguments<Options, Argument> = {
  options: { [Name in keyof Options]: ParsedOption<Options[Name]> };
  argument: ParsedArgument<Argument>;
  /** For commands that print while they run; other results are printed by `runCommandLine`. */
  json: boolean;
};

export type Answer = {
  /** The JSON value that `--json` prints; absent when everything is printed already. */
  value?: unknown;
  /** Printed without `--json`. When absent, the value is printed in aligned lines. */
  text?: string;
  /** Printed to standard error, and omitted with `--json`. */
  note?: string;
  exitCode?: number;
};

/** What a command can use. Settings and the database are opened on first use, so that help needs neither. */
export type CommandContext = {
  settings(): Settings;
  log(): FastifyBaseLogger;
  /** Closed when the command ends. Rejects when migrations are pending. */
  platform(): Promise<Platform>;
  /** Applies pending migrations and returns their names. */
  migrate(upgrade: Upgrade): Promise<string[]>;
  /** Progress and remarks. */
  screen: Screen;
  /** Standard output, for commands that print while they run. */
  out: Screen;
  env: Record<string, string | undefined>;
};

export type Command = {
  /** One word, or a family and a verb: `org create`. */
  name: string;
  summary: string;
  argument?: ArgumentSpec;
  options: OptionSpecs;
  /** An example command line, without `dukkan`. */
  example: string;
  /** Paragraphs at the end of its help. */
  details?: string;
  /** False for commands that run until stopped and have no result. */
  answers: boolean;
  run(context: CommandContext, parsed: ParsedArguments<OptionSpecs, ArgumentSpec | undefined>): Promise<Answer>;
};

/** Infers the types of `run` from the declared options and argument. */
export function defineCommand<
  const Options extends OptionSpecs,
  const Argument extends ArgumentSpec | undefined = undefined,
>(
  command: Omit<Command, 'options' | 'argument' | 'answers' | 'run'> & {
    options?: Options;
    argument?: Argument;
    answers?: boolean;
    run(context: CommandContext, parsed: ParsedArguments<Options, Argument>): Promise<Answer>;
  },
): Command {
  // Safe: the command line is parsed by the same declarations.
  return { options: {}, answers: true, ...command } as unknown as Command;
}
