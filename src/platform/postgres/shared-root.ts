import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canEnter } from './account.ts';

/** In order of how likely their files survive a reboot. */
const CANDIDATES = () => ['/var/lib/dukkan', '/var/tmp/dukkan', join(tmpdir(), 'dukkan')];

/**
 * A folder that the server's account can enter, for files it cannot reach inside a private home. Only root needs one.
 * A folder that another user owns or can write to is skipped, since programs are executed from here.
 */
export function openSharedRoot(account: Account, preferred?: string): string {
  for (const folder of preferred ? [preferred] : CANDIDATES()) {
    try {
      if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755);
      const found = lstatSync(folder);
      if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) {
        if (canEnter(folder, account)) return folder;
      }
    } catch {}
  }
  throw new Error(
    `The account ${account.name}, which runs PostgreSQL for root, can reach neither the data folder nor ${CANDIDATES().join(', ')}`,
  );
}
