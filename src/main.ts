import packageFile from '../package.json' with { type: 'json' };
import { UsageError } from './cli/command.ts';
import { COMMANDS } from './cli/commands.ts';
import { openSurroundings } from './cli/open-surroundings.ts';
import { asksForJson, helpLine } from './cli/read-command-line.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { ConfigError } from './platform/config.ts';

/** Operators read one line; the stack is for those who ask for it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return `Setting: ${error.message}`;
  if ('syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo'))
    return explainListening(error);
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}

function explainListening(error: Error & { code?: unknown }): string {
  if (error.code === 'EADDRINUSE') return `The port is taken (${error.message}). Set PORT to another.`;
  if (error.code === 'EACCES') return `This account may not use the port (${error.message}). Set PORT above 1023.`;
  return `The address cannot be listened on (${error.message}). Check HOST and PORT.`;
}

/** Resolves to the exit code. What was opened is closed before anything is said, so the error is the last that is read. */
async function main(args: string[]): Promise<number> {
  const surroundings = openSurroundings(process.env, process.cwd(), process.stderr);
  const { version } = packageFile;
  try {
    return await runCommandLine(args, { commands: COMMANDS, surroundings, version, out: process.stdout });
  } finally {
    await surroundings.close();
  }
}

// Whoever reads the outcome and has read enough (head, a pager that was left) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const args = process.argv.slice(2);
try {
  process.exitCode = await main(args);
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = explain(error);
  const hint = isUsage ? `${helpLine(args, COMMANDS)}\n` : '';
  process.stderr.write(asksForJson(args) ? `${JSON.stringify({ error: message })}\n` : `dukkan: ${message}\n${hint}`);
  process.exitCode = isUsage ? 2 : 1;
}
