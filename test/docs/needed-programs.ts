import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** What a reader of the documents has at hand, and a machine with nothing but Node may not. */
const NEEDED = ['bash', 'curl', 'openssl'];

/**
 * Those that are not there, after installing them where that is possible: with Debian's packages, as root. Where they
 * cannot be had the blocks are left out, but never in CI: there it is a fault.
 */
export function missingPrograms(): string[] {
  const missing = NEEDED.filter((name) => !isInstalled(name));
  if (missing.length === 0) return missing;
  if (process.getuid?.() === 0 && isInstalled('apt-get')) install(missing);
  const stillMissing = missing.filter((name) => !isInstalled(name));
  if (stillMissing.length > 0 && process.env.CI) {
    throw new Error(`The blocks of the documents need ${stillMissing.join(', ')}, and CI leaves none out`);
  }
  return stillMissing;
}

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function install(names: readonly string[]): void {
  const quietly = { stdio: 'ignore', timeout: 120_000 } as const;
  try {
    execFileSync('apt-get', ['update'], quietly);
    execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', ...names], quietly);
  } catch {
    // No network, or none of these packages: judged by what is there afterwards.
  }
}
