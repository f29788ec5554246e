// npm run pages: every page of the console in both languages and themes, at three widths, by axe and in pictures.
import { runTarget } from './run-target.mjs';

process.env.CONSOLE_PAGES = 'all';
process.env.CONSOLE_PICTURES ??= 'console/pictures';
process.exitCode = await runTarget('vitest', [
  'run',
  'console/e2e',
  '-t',
  'every page|drawn twice',
  '--reporter=verbose',
]);
