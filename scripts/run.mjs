import { runTarget } from './run-target.mjs';

const [target, ...args] = process.argv.slice(2);
if (target === undefined) {
  console.error('Usage: node scripts/run.mjs <file or tool> [arguments]');
  process.exit(2);
}
process.exitCode = await runTarget(target, args);
