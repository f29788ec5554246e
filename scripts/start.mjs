// npm start: installs and builds what has changed, then serves.
import { buildConsoleWhenStale } from './build-console-when-stale.mjs';
import { installWhenStale } from './install-when-stale.mjs';
import { runTarget } from './run-target.mjs';

const failed = await installWhenStale();
// Without its console the service is worth starting all the same.
if (!failed) await buildConsoleWhenStale();
process.exitCode = failed || (await runTarget('src/main.ts', ['serve', ...process.argv.slice(2)]));
