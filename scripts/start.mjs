// npm start: installs what serving needs and has changed, then serves. The console is built while the database starts.
import { buildConsoleWhenStale } from './build-console-when-stale.mjs';
import { installWhenStale } from './install-when-stale.mjs';
import { runTarget } from './run-target.mjs';

const failed = await installWhenStale('serve');
// Without its console the service is worth starting all the same.
const building = failed ? undefined : buildConsoleWhenStale();
process.exitCode =
  failed || (await runTarget('src/main.ts', ['serve', ...process.argv.slice(2)], { awaited: building }));
