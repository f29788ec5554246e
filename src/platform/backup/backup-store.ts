/**
 * Where the files of a backup repository are stored: a folder or a bucket. Names are relative and have slashes: `base/<id>/base.tar`. A file
 * gets its name when it is complete and never changes afterwards.
 */
export type BackupStore = {
  /** As the operator writes it: a path or `s3://bucket/prefix`. For messages. */
  location: string;
  /** How often a file that grows is made readable. */
  flushEveryMs: number;
  /** What is incomplete belongs to a process that ended when it is older than this. 0: `lock` keeps others out. */
  staleAfterMs: number;
  /** Creates the store. Refuses a place that has other files. */
  create(): Promise<void>;
  lock(prefix: string): Promise<{ release(): void }>;
  /** Complete files under `prefix`, which ends in a slash; `withUnfinished` adds what belongs to incomplete ones. */
  list(prefix: string, options?: { withUnfinished?: boolean }): Promise<StoredName[]>;
  /** A file that fits into memory. Undefined when there is none. */
  find(name: string): Promise<Buffer | undefined>;
  read(name: string): AsyncIterable<Buffer>;
  write(name: string, options?: { growing?: boolean }): Promise<StoreWriter>;
  /** What was flushed of files of this name that are not complete: one for each attempt. */
  listUnfinished(name: string): Promise<Unfinished[]>;
  /** A file that is not there is no failure. */
  remove(name: string): Promise<void>;
  /** Everything under the prefix, complete or not. */
  removeAll(prefix: string): Promise<void>;
  close(): Promise<void>;
};

export type StoredName = { name: string; storedAt: Date };

export type Unfinished = { id: string; read(): AsyncIterable<Buffer> };

export type StoreWriter = {
  write(data: Buffer): Promise<void>;
  /** For a growing file: what was written survives a crash from now on, and is listed as unfinished. */
  flush(): Promise<void>;
  /** Gives the file its name. Removes what is unfinished of a growing one. */
  finish(): Promise<void>;
  /** Ends an attempt. What was flushed stays. After `finish` it does nothing. */
  close(): Promise<void>;
};

export async function readAll(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

/** A small file, complete at once. */
export async function writeWhole(store: BackupStore, name: string, content: string): Promise<void> {
  const writer = await store.write(name);
  try {
    await writer.write(Buffer.from(content));
    await writer.finish();
  } finally {
    await writer.close();
  }
}
