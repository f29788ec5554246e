import { userInfo } from 'node:os';
import type { Actor } from '../modules/audit/index.ts';

/** The operator at the command line, named by the operating-system account. */
export function commandLineActor(): Actor {
  const name = readUserName();
  return { kind: 'cli', id: name, name, ip: '', requestId: '' };
}

/** A container may run under a number that has no name. */
function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
