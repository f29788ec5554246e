import { startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';

/**
 * The embedded PostgreSQL in a process of its own, for entries whose baselines share a server with the service. Its folder and
 * additional settings come by environment; it sends `{ connection }` to its parent and stops the server on SIGTERM.
 */
const { DATA_DIR = '', SERVER_SETTINGS = '{}' } = process.env;
const silent = () => undefined;
const server = await startEmbeddedPostgres({
  dataDir: DATA_DIR,
  log: { info: silent, warn: (details, message) => console.error(message, details) },
  extraSettings: JSON.parse(SERVER_SETTINGS) as Record<string, string>,
});
process.once('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
process.channel?.ref();
process.send?.({ connection: server.connection });
