import { connectDatabase, upgradeDatabase } from '../../platform/database/index.ts';
// Not with the other commands, which load the whole service: 3.6 s of CPU time per start instead of 0.6.
import { migrateCommand } from '../migrate-command.ts';
import { runCommandLine } from '../run-command-line.ts';

/** `dukkan migrate` in a process of its own, on the database and with the folder of migrations that the arguments name. */
const [url = '', folder = ''] = process.argv.slice(2);
const sql = connectDatabase(url, { poolSize: 2, applicationName: 'dukkan command' });
const missing = () => {
  throw new Error('migrate does not need it');
};
try {
  process.exitCode = await runCommandLine(['migrate', '--force'], {
    commands: [migrateCommand],
    context: {
      settings: missing,
      log: missing,
      platform: missing,
      migrate: (upgrade) => upgradeDatabase(sql, folder, upgrade),
      screen: process.stderr,
      out: process.stdout,
      env: {},
    },
    version: '9.9.9',
    out: process.stdout,
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await sql.end();
}
