import type { Command, OptionSpecs } from './command.ts';
import { alignColumns } from './format-text.ts';

/** `dukkan help`: every command in a line. */
export function writeOverview(commands: readonly Command[]): string {
  return `dukkan <command> [options]

${indent(alignColumns(commands.map((command) => [nameWithArgument(command), command.summary])))}

dukkan <command> --help shows the options of a command and an example. With --json a command prints its outcome as one
JSON value. It ends with 0 when all is done, 1 when it failed, 2 when the line cannot be carried out as it was typed.
`;
}

/** `dukkan org --help` */
export function writeFamilyHelp(family: readonly Command[]): string {
  return `${alignColumns(family.map((command) => [`dukkan ${nameWithArgument(command)}`, command.summary]))}

Add --help to one of them for its options and an example.
`;
}

/** `dukkan org create --help` */
export function writeHelp(command: Command, options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, { value, meaning, required, repeated }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    `${meaning}${required ? ' (required)' : ''}${repeated ? ' (may be repeated)' : ''}`,
  ]);
  const argument = command.argument && [[command.argument.name, command.argument.meaning]];
  return [
    `dukkan ${command.name}: ${command.summary}`,
    `Usage\n  dukkan ${[nameWithArgument(command), ...requiredOptions(command)].join(' ')} [options]`,
    ...(argument ? [`Argument\n${indent(alignColumns(argument))}`] : []),
    `Options\n${indent(alignColumns(rows))}`,
    ...(command.details ? [command.details] : []),
    `Example\n  dukkan ${command.example}\n`,
  ].join('\n\n');
}

function requiredOptions({ options }: Command): string[] {
  return Object.entries(options).flatMap(([name, { value, required }]) => (required ? [`--${name} ${value}`] : []));
}

function nameWithArgument({ name, argument }: Command): string {
  if (argument === undefined) return name;
  return `${name} ${argument.required ? argument.name : `[${argument.name}]`}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
