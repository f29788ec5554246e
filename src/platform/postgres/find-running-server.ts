import { join } from 'node:path';
import { type Connection, connectionTo, openDatabase } from './connection.ts';
import { readPassword } from './init-cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isAlive } from './process-state.ts';

/** For a command beside a running service: the server of this data folder, if it accepts connections. */
export async function findRunningServer(dataDir: string): Promise<Connection | undefined> {
  const file = readPostmasterFile(join(dataDir, 'postgres', 'cluster'));
  if (file === undefined || !isAlive(file.pid)) return undefined;
  const connection = connectionTo(file.endpoint, readPassword(dataDir, true));
  try {
    await openDatabase(connection);
    return connection;
  } catch {
    return undefined;
  }
}
