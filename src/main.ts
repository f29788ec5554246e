import { pino } from 'pino';
import { UsageError } from './cli/arguments.ts';
import { runCommand } from './cli/commands.ts';
import { serve } from './cli/serve.ts';
import { ConfigError } from './platform/config.ts';
import { readSettings } from './settings.ts';

const USAGE = `dukkan <command>

  serve                                      run the service (npm start)
  migrate [--force]                          bring the database up to date; refused while an older service runs on it
  seed [--force]                             load the demo, once; --force: beside organizations that are there already
  org create --name-en NAME [--name-ar NAME] [--time-zone ZONE]
  org suspend ID | org resume ID
  user create --email EMAIL [--password PASSWORD] [--org ID --role owner|member|viewer]
              [--branch ID] [--grant read:Analytics ...] [--withhold read:Analytics ...] [--commercial]
  token create --email EMAIL [--org ID] [--name NAME] [--days N]
  api-key create --org ID [--name NAME]
  import products FILE.csv --org ID [--report FILE.csv|FILE.jsonl] [--from-line N]
  rebuild [sales] [--org ID]                 count sales and customers again from the orders
  events parked | events retry [FOLLOWER]    what followers of events had to leave aside; take it in again
  openapi [--write]                          print the API description, or write it to openapi.json
`;

async function main(args: string[]): Promise<number> {
  const [command] = args;
  if (command === undefined || command === 'help' || command === '--help') {
    process.stdout.write(USAGE);
    return command === undefined ? 2 : 0;
  }
  const settings = readSettings(process.env, process.cwd());
  const log = pino({ level: settings.platform.logLevel, base: undefined }, pino.destination({ fd: 2, sync: false }));
  if (command === 'serve') return serve(settings, log);
  return runCommand(args, settings, log);
}

/** Operators read one line; the stack is for those who ask for it. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
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

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`dukkan: ${explain(error)}\n`);
  process.exitCode = 1;
}
