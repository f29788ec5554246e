import type { Answer, Command, CommandContext } from './command.ts';
import { formatPairs } from './format-text.ts';
import { readCommandLine } from './read-command-line.ts';

export type Output = { write(text: string): unknown };

/** Reads the line, does what it asks and prints the outcome; resolves to the exit code. */
export async function runCommandLine(
  args: readonly string[],
  {
    commands,
    context,
    version,
    out,
  }: { commands: readonly Command[]; context: CommandContext; version: string; out: Output },
): Promise<number> {
  const line = readCommandLine(args, commands, version);
  if (line.kind === 'text') {
    out.write(line.text);
    return line.exitCode;
  }
  const { command, options, argument, json } = line;
  const answer = await command.run(context, { options: options as never, argument, json });
  print(answer, json, out, context.screen);
  return answer.exitCode ?? 0;
}

function print({ value, text, note }: Answer, json: boolean, out: Output, screen: Output): void {
  if (json) {
    if (value !== undefined) out.write(`${JSON.stringify(value, null, 2)}\n`);
    return;
  }
  if (text !== undefined) out.write(text.endsWith('\n') ? text : `${text}\n`);
  else if (typeof value === 'object' && value !== null) out.write(`${formatPairs(value)}\n`);
  if (note !== undefined) screen.write(`${note}\n`);
}
