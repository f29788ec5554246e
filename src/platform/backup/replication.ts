import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { readDatabaseUrl } from '../database/database-url.ts';
import type { DatabaseAddress } from '../database/index.ts';
import { findPrimary } from '../database/primary-client.ts';
import { BackupError } from './backup-error.ts';

/** The part of the driver's connection that its typings leave out. */
type Wire = EventEmitter & { query(text: string): void; sendCopyFromChunk(chunk: Buffer): void; stream: Socket };
type Row = (string | null)[];

/**
 * The streaming replication protocol, which every PostgreSQL offers without further programs: pg_basebackup and pg_receivewal speak
 * it, and the embedded server's package includes neither.
 */
export type Replication = {
  /** Rows of the first result. */
  ask(command: string): Promise<Row[]>;
  /** Messages of a COPY. `results` are the rows that came before and after it. */
  copy(command: string): { messages: AsyncGenerator<Buffer>; results: Row[][]; send(message: Buffer): void };
  close(): Promise<void>;
};

/** More than this is left in the socket until it has been consumed. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

export async function connectReplication(address: DatabaseAddress): Promise<Replication> {
  const {
    options: _,
    hosts,
    ...where
  } = typeof address === 'string' ? readDatabaseUrl(address) : { ...address, options: '', hosts: [] };
  const client = new pg.Client({
    ...where,
    application_name: 'dukkan backup',
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    // As libpq's keyword for a connection to a walsender.
    replication: 'true',
  } as object);
  client.on('error', () => undefined);
  try {
    if (hosts.length > 1) Object.assign(client, await findPrimary(hosts, where));
    await client.connect();
  } catch (error) {
    throw explain(error);
  }
  return {
    ask: async (command) => {
      const running = new ReplicationCommand(command);
      client.query(running as never);
      await running.ended;
      return running.results[0] ?? [];
    },
    copy(command) {
      const running = new ReplicationCommand(command);
      client.query(running as never);
      return {
        messages: running.messages(),
        results: running.results,
        send: (message) => running.wire?.sendCopyFromChunk(message),
      };
    },
    async close() {
      // In the middle of a COPY the server would not read a polite end.
      (client as unknown as { connection: Wire }).connection.stream.destroy();
      await client.end().catch(() => undefined);
    },
  };
}

/** A statement as the driver's queue takes it. */
class ReplicationCommand {
  readonly results: Row[][] = [];
  readonly ended: Promise<void>;
  wire: Wire | undefined;
  private readonly text: string;
  private readonly events = new EventEmitter();
  private readonly finish: { resolve(): void; reject(error: Error): void };
  private rows: Row[] = [];
  private queue: Buffer[] = [];
  private queuedBytes = 0;
  private isDone = false;
  private failure: Error | undefined;

  constructor(text: string) {
    this.text = text;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.finish = { resolve, reject };
    promise.catch(() => undefined);
  }

  submit(wire: Wire): void {
    this.wire = wire;
    wire.query(this.text);
  }

  handleRowDescription(): void {
    this.rows = [];
  }

  handleDataRow({ fields }: { fields: Row }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push(this.rows);
    this.rows = [];
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A copy: the driver reads the next packet into the same memory.
    this.queue.push(Buffer.from(chunk));
    this.queuedBytes += chunk.length;
    if (this.queuedBytes > MAX_BUFFERED_BYTES) this.wire?.stream.pause();
    this.events.emit('more');
  }

  handleError(error: Error): void {
    this.failure = explain(error);
    this.end();
  }

  handleReadyForQuery(): void {
    this.end();
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  private end(): void {
    this.isDone = true;
    if (this.failure) this.finish.reject(this.failure);
    else this.finish.resolve();
    this.events.emit('more');
  }

  async *messages(): AsyncGenerator<Buffer> {
    for (;;) {
      const next = this.queue.shift();
      if (next !== undefined) {
        this.queuedBytes -= next.length;
        if (this.queuedBytes === 0) this.wire?.stream.resume();
        yield next;
      } else if (this.isDone) {
        if (this.failure) throw this.failure;
        return;
      } else await once(this.events, 'more');
    }
  }
}

/** What an operator can do about the usual refusals. */
function explain(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = 'code' in error ? error.code : undefined;
  if (code === '42501' || /permission denied|must be superuser|replication role/i.test(error.message)) {
    return new BackupError(
      `The server refuses a backup: ${error.message}. Have an administrator run: alter role <this account> replication`,
    );
  }
  if (code === '28000' && /pg_hba/.test(error.message)) {
    return new BackupError(
      `The server refuses a backup: ${error.message}. Add a line "host replication <account> <address> scram-sha-256" to pg_hba.conf`,
    );
  }
  return error;
}
