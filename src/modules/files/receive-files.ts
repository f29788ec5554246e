import type { Readable } from 'node:stream';
import type { Tx } from '../../platform/database/index.ts';
import { type FileStore, type ReceivedFile, receiveUpload, type UploadRules } from '../../platform/files/index.ts';
import { type FileTools, removeUnclaimed } from './remove-files.ts';
import { deleteUnclaimed, insertUnclaimed } from './sql.ts';

/** The files of one request, from the first byte until a row refers to them or they are gone again. */
export type Upload = {
  receive(stream: Readable, rules: UploadRules): Promise<ReceivedFile>;
  /** In the transaction that starts to refer to every file received so far. */
  claim(tx: Tx): Promise<void>;
  /** Once the outcome is known, whatever it is: files that no committed transaction claimed are removed. Never throws. */
  settle(): Promise<void>;
};

export function startUpload(tools: FileTools, ownerId: string): Upload {
  const keys: string[] = [];
  const store: FileStore = {
    ...tools.files,
    async put(key, content, meta) {
      keys.push(key);
      await insertUnclaimed(tools.sql, [key], tools.clock.now());
      return tools.files.put(key, content, meta);
    },
  };
  return {
    receive: (stream, rules) => receiveUpload(store, ownerId, stream, rules),
    async claim(tx) {
      if (keys.length === 0) return;
      const claimed = await deleteUnclaimed(tx, keys);
      if (claimed < keys.length) throw new Error(`${keys.length - claimed} uploaded files were swept before their use`);
    },
    // The list of unclaimed files decides, not the caller: when the connection breaks during a commit, only the
    // database knows whether the files are in use.
    settle: () => removeUnclaimed(tools, keys),
  };
}
