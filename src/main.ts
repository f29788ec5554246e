import packageFile from '../package.json' with { type: 'json' };
import { UsageError } from './cli/command.ts';
import { COMMANDS } from './cli/commands.ts';
import { explainError } from './cli/explain-error.ts';
import { openSurroundings } from './cli/open-surroundings.ts';
import { asksForJson, helpLine } from './cli/read-command-line.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { printable } from './platform/text/printable.ts';

/** Resolves to the exit code. Resources are closed before the error is printed, so that the error is the last line. */
async function main(args: string[]): Promise<number> {
  const surroundings = openSurroundings(process.env, process.cwd(), process.stderr, process.stdout);
  const { version } = packageFile;
  try {
    return await runCommandLine(args, { commands: COMMANDS, surroundings, version, out: process.stdout });
  } finally {
    await surroundings.close();
  }
}

// A reader that closes the pipe early (head, a pager) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const args = process.argv.slice(2);
try {
  process.exitCode = await main(args);
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = explainError(error, { withStack: process.env.LOG_LEVEL === 'debug' });
  const shown = printable(message, { lines: true });
  const hint = isUsage ? `${helpLine(args, COMMANDS)}\n` : '';
  process.stderr.write(asksForJson(args) ? `${JSON.stringify({ error: message })}\n` : `dukkan: ${shown}\n${hint}`);
  process.exitCode = isUsage ? 2 : 1;
}
