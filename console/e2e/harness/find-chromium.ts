import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { APT, findInstalled, mayInstall, SHELL } from './installed-chromium.ts';

const INSTALL_MS = 240_000;

/**
 * A browser, in this order: the one that CHROMIUM_PATH names, one that is installed, playwright's own from an earlier time,
 * the distribution's where this may install it, playwright's from the network. Without any the tests fail: a
 * console that no browser has rendered is not tested.
 */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, where there is nothing`);
  }
  const found = findInstalled() ?? findOfPlaywright() ?? installByApt() ?? downloadByPlaywright();
  if (found !== undefined) return found;
  throw new Error('The tests of the console need Chromium or Chrome: install one, or name it in CHROMIUM_PATH');
}

function findOfPlaywright(): string | undefined {
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

function installByApt(): string | undefined {
  if (!mayInstall()) return undefined;
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  const apt = (...args: string[]) => execFileSync(APT, args, options);
  const install = (name: string) => apt('install', '-y', '-qq', '--no-install-recommends', name);
  try {
    apt('update', '-qq');
    install(SHELL);
  } catch {
    try {
      install('chromium');
    } catch {
      return undefined;
    }
  }
  return findInstalled();
}

function downloadByPlaywright(): string | undefined {
  const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  try {
    execFileSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: INSTALL_MS });
  } catch {
    return undefined;
  }
  return findOfPlaywright();
}
