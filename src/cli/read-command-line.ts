import { parseArgs } from 'node:util';
import { findClosestWord } from '../platform/text/closest-word.ts';
import { type Command, type OptionSpec, type OptionSpecs, UsageError } from './command.ts';
import { writeFamilyHelp, writeHelp, writeOverview } from './help.ts';

export type CommandLine =
  | { kind: 'text'; text: string; exitCode: number }
  | {
      kind: 'command';
      command: Command;
      options: Record<string, unknown>;
      argument: string | undefined;
      json: boolean;
    };

export const JSON_OPTION: OptionSpec = { meaning: 'print the outcome as one JSON value' };
const HELP_OPTION: OptionSpec = { meaning: 'this text' };
const HELP_WORDS = ['--help', '-h'];

/** Works for invalid command lines too, since their error must have the requested format. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/** Where to read on after a refusal. */
export function helpLine(args: readonly string[], commands: readonly Command[]): string {
  const words = args.filter((arg) => arg !== '--json');
  const command = findCommand(words, commands);
  if (command !== undefined) return `See dukkan ${command.name} --help`;
  return commands.some(({ name }) => name.startsWith(`${words[0]} `))
    ? `See dukkan ${words[0]} --help`
    : 'See dukkan help';
}

/** Finds the command and checks every word of the line against its table. */
export function readCommandLine(args: readonly string[], commands: readonly Command[], version: string): CommandLine {
  const [first] = args;
  if (first === '--version') return { kind: 'text', text: `${version}\n`, exitCode: 0 };
  if (first === undefined) return { kind: 'text', text: writeOverview(commands), exitCode: 2 };
  // `--json` may stand anywhere, so a script can put it first.
  const words = first === '--json' ? [...args.slice(1), first] : [...args];
  const [word = ''] = words;
  if (word === 'help' || HELP_WORDS.includes(word)) return readHelp(words.slice(1), commands);
  if (word.startsWith('-')) {
    throw new UsageError(`${word} stands where the command goes: dukkan <command> [options]; dukkan help lists them`);
  }
  const command = findCommand(words, commands);
  const rest = command === undefined ? words : words.slice(command.name.split(' ').length);
  if (rest.some((arg, index) => HELP_WORDS.includes(arg) && !rest.slice(0, index).includes('--'))) {
    return readHelp(command === undefined ? [word] : command.name.split(' '), commands);
  }
  if (command === undefined) throw unknownCommand(words, commands);
  return readOptions(rest, command, commands);
}

function readHelp(words: readonly string[], commands: readonly Command[]): CommandLine {
  const about = words.filter((word) => !word.startsWith('-'));
  if (about.length === 0) return { kind: 'text', text: writeOverview(commands), exitCode: 0 };
  const command = findCommand(about, commands);
  if (command !== undefined) {
    return { kind: 'text', text: writeHelp(command, allOptions(command)), exitCode: 0 };
  }
  const family = commands.filter(({ name }) => name.startsWith(`${about[0]} `));
  if (about.length > 1 || family.length === 0) throw unknownCommand(about, commands);
  return { kind: 'text', text: writeFamilyHelp(family), exitCode: 0 };
}

function findCommand([first, second]: readonly string[], commands: readonly Command[]): Command | undefined {
  return (
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first && !name.includes(' '))
  );
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const options = words.findIndex((word) => word.startsWith('-'));
  const typed = (options === -1 ? words : words.slice(0, options)).slice(0, 2);
  const family = commands.filter(({ name }) => name.startsWith(`${typed[0]} `)).map(({ name }) => name);
  if (typed.length === 1 && family.length > 0) {
    return new UsageError(`${typed[0]} is followed by what to do: ${family.join(', ')}`);
  }
  const names = family.length > 0 ? family : commands.map(({ name }) => name);
  // Within a family the first word is right already: compared alone it would be close to every command of it.
  const firstWord = family.length > 0 ? '' : (typed[0] ?? '');
  const closest = findClosestWord(typed.join(' '), names) ?? findClosestWord(firstWord, names);
  const others = family.length > 0 ? `there are ${family.join(', ')}` : 'dukkan help lists them all';
  const hint = closest === undefined ? others : `did you mean ${closest}?`;
  return new UsageError(`Unknown command: ${typed.join(' ')}; ${hint}`);
}

/** Its own, and those that every command has. */
function allOptions(command: Command): OptionSpecs {
  return { ...command.options, ...(command.answers ? { json: JSON_OPTION } : {}), help: HELP_OPTION };
}

/**
 * `parseArgs` splits the line. Its strict mode is not used: its errors name neither the closest option nor the command that
 * an option belongs to.
 */
function readOptions(args: string[], command: Command, commands: readonly Command[]): CommandLine {
  const specs = allOptions(command);
  const config = Object.fromEntries(
    Object.entries(specs).map(
      ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
    ),
  );
  const { tokens } = parseArgs({ args, options: config, strict: false, allowPositionals: true, tokens: true });
  const options = emptyOptions(command.options);
  const given = new Set<string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined || token.rawName !== `--${token.name}`)
      throw unknownOption(token.rawName, command, commands);
    if (given.has(token.name) && !spec.repeated) throw new UsageError(`--${token.name} is given twice`);
    given.add(token.name);
    const value = readValue(token, spec);
    const known = options[token.name];
    options[token.name] = Array.isArray(known) ? [...known, value] : value;
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && !given.has(name)) throw new UsageError(`--${name} is required`);
  }
  return { kind: 'command', command, options, argument: readArgument(positionals, command), json: given.has('json') };
}

function emptyOptions(specs: OptionSpecs): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { value, repeated }]) => [
      name,
      value === undefined ? false : repeated ? [] : undefined,
    ]),
  );
}

type OptionToken = { name: string; value?: string; inlineValue?: boolean };

function readValue({ name, value, inlineValue }: OptionToken, spec: OptionSpec): string | true {
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    return true;
  }
  if (value === undefined || value.trim() === '')
    throw new UsageError(`--${name} needs a value: --${name} ${spec.value}`);
  // The next option was taken for the value of one that has none.
  if (inlineValue === false && value.startsWith('-') && value !== '-') {
    throw new UsageError(
      `--${name} needs a value: --${name} ${spec.value} (--${name}=${value} if it begins with a dash)`,
    );
  }
  return value;
}

function readArgument(positionals: readonly string[], { name, argument }: Command): string | undefined {
  const [value, ...more] = positionals;
  const extra = argument === undefined ? value : more[0];
  if (extra !== undefined) {
    const takes = argument === undefined ? 'takes options only' : `takes one ${argument.name}`;
    throw new UsageError(`${name} ${takes}: nothing can be done with "${extra}"`);
  }
  if (argument?.required && (value === undefined || value === '')) throw new UsageError(`${argument.name} is required`);
  return value;
}

function unknownOption(typed: string, command: Command, commands: readonly Command[]): UsageError {
  const name = typed.replace(/^-+/, '');
  const others = commands.filter(({ options }) => Object.hasOwn(options, name)).map((other) => other.name);
  if (others.length > 0) return new UsageError(`--${name} belongs to ${others.join(', ')}, not to ${command.name}`);
  const known = Object.keys(allOptions(command));
  const closest = findClosestWord(name, known);
  const hint =
    closest === undefined ? `there are ${known.map((word) => `--${word}`).join(', ')}` : `did you mean --${closest}?`;
  return new UsageError(`Unknown option for ${command.name}: ${typed}; ${hint}`);
}
