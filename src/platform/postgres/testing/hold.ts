// A stand-in for the service in tests: starts the server of a data folder, reports it, and keeps it until it is stopped.
import { startEmbeddedPostgres } from '../index.ts';

const [dataDir = '', sharedRoot] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const log = {
  info: (_details: object, _message: string) => {},
  warn: (details: object, message: string) => say({ event: 'warning', message, ...details }),
};

try {
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    extraSettings: { fsync: 'off' },
    ...(sharedRoot && { sharedRoot }),
  });
  say({ event: 'ready', pid: server.pid, adopted: server.adopted, connection: server.connection });
  process.on('SIGTERM', () => {
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  setInterval(() => {}, 60_000);
} catch (error) {
  say({ event: 'failed', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
