import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './project.mjs';

/** Folders that are a unit with their own tests: src/modules/orders, console/src/features/catalog, test/journeys. */
const UNIT = /^(?:src\/(?:modules|platform|channels|providers)|console\/src\/features|console\/src|[^/]+)\/[^/]+\//;
const GROUPS = /^src\/(?:modules|platform|channels|providers)\/$/;

/**
 * Path filters for `npm test -- --changed`: of each file that git reports as changed, the nearest folder with tests inside its unit. vitest
 * alone selects every test that imports a changed file, directly or not. Most test files start the whole service, so one changed
 * module would select 339 of them. The whole unit was 25 files for a change in orders/list, which has 4.
 */
export function changedFolders(args) {
  const since = sinceOf(args);
  const diff = since === undefined ? [] : git('diff', '--name-only', `${since}...HEAD`);
  const files = [...diff, ...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(files.map(unitOf))].sort();
}

/** `--changed`, `--changed <commit>` or `--changed=<commit>`, as vitest reads it. */
function sinceOf(args) {
  const at = args.findIndex((arg) => arg === '--changed' || arg.startsWith('--changed='));
  const value = args[at].includes('=') ? args[at].split('=')[1] : args[at + 1];
  return value === undefined || value.startsWith('-') || value === 'true' ? undefined : value;
}

function unitOf(file) {
  const unit = UNIT.exec(file)?.[0];
  // A file in no unit, as src/platform/money.ts: the tests named after it.
  if (unit === undefined || GROUPS.test(unit)) return file.replace(/(\.test)?\.\w+$/, '');
  let folder = `${dirname(file)}/`;
  while (folder !== unit && !hasTests(folder)) folder = `${dirname(folder)}/`;
  return folder;
}

function hasTests(folder) {
  const path = join(root, folder);
  return existsSync(path) && readdirSync(path).some((name) => name.endsWith('.test.ts'));
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}
