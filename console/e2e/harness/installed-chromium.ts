import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** The same browser without windows: a page load takes 1.06 CPU seconds instead of 1.45, the widths of the orders 1.7 instead of 2.4. */
export const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
];
const MAC = ['Google Chrome', 'Chromium'];
export const APT = '/usr/bin/apt-get';
/** Without a network, apt would try for minutes. */
const SHELL_INSTALL_MS = 60_000;

export function findInstalled(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), ...FOLDERS];
  return folders.flatMap((folder) => [...NAMES, ...MAC].map((name) => path.join(folder, name))).find(existsSync);
}

export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync(APT);
}

/**
 * Installs the shell where a root of Debian has only the full browser, as in the container of a pipeline. Called once, at the start of
 * a run; when it fails or takes too long, the tests use the browser that is there.
 */
export async function installShell(): Promise<void> {
  const isChosen = process.env.CHROMIUM_PATH !== undefined || findInstalled()?.endsWith(SHELL);
  if (isChosen || !mayInstall()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => promisify(execFile)(APT, args, { timeout: SHELL_INSTALL_MS, env });
  try {
    await apt('update', '-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5');
    await apt('install', '-y', '-qq', '--no-install-recommends', SHELL);
  } catch {
    // No package of that name, no network, or another apt is running.
  }
}
