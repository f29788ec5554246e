// npm run test:cluster: the tests of the modules on a Citus cluster, with the tables spread. Other arguments choose other tests.
import { join } from 'node:path';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** All modules, whether their tables are spread or on the coordinator; the isolation of tenants; the cluster itself. */
const TESTS = ['src/modules/', 'test/isolation', 'test/cluster'];

if (!process.env.CLUSTER_DATABASE_URL) {
  console.error('There is no cluster: set CLUSTER_DATABASE_URL to a database of its coordinator. Nothing was tested.');
  process.exitCode = 1;
} else {
  process.exitCode =
    (await installWhenStale()) ||
    (await runChild(join(binFolder, 'vitest'), ['run', ...argumentsOrAll()], { cwd: root, env: projectEnvironment() }));
}

function argumentsOrAll() {
  const given = process.argv.slice(2);
  return given.length > 0 ? given : TESTS;
}
