import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The operating-system account PostgreSQL runs under when the service itself is root. */
export type Account = { name: string; uid: number; gid: number };

const PREFERRED = ['nobody', 'daemon'];

/** PostgreSQL refuses to run as root. `undefined`: run it under the account of the service. */
export function findServerAccount(existingClusterDir: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  if (existingClusterDir) {
    // A cluster created by an ordinary user and then started by root keeps its owner.
    const { uid, gid } = statSync(existingClusterDir);
    if (uid !== 0) return accounts.find((account) => account.uid === uid) ?? { name: String(uid), uid, gid };
  }
  // On macOS the uid of 'nobody' is -2, which chown rejects: only positive numbers qualify.
  const usable = accounts.filter((account) => account.uid > 0);
  const chosen = PREFERRED.map((name) => usable.find((account) => account.name === name)).find(Boolean) ?? usable[0];
  if (!chosen) throw new Error('PostgreSQL cannot run as root and /etc/passwd names no other account to run it under');
  return chosen;
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map((fields) => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }));
}

/** Whether the account may enter `folder`: every folder from the root down needs its search bit. */
export function canEnter(folder: string, account: Account | undefined): boolean {
  if (!account) return true;
  for (let current = realpathSync(folder); ; current = dirname(current)) {
    const { mode, uid, gid } = statSync(current);
    const searchBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & searchBit) === 0) return false;
    if (dirname(current) === current) return true;
  }
}
