import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { testOrganization } from '../harness/accounts.ts';
import { checkFeed } from './check-feed.ts';

const EVENTS = 100_000;

/** The check of the feed at full size, with one transaction elsewhere held open for thirty seconds. */
export async function run(): Promise<boolean> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-feed-'));
  const settings = { PORT: '0', DUKKAN_DATA_DIR: dataDir, DUKKAN_DEMO: 'false', DATABASE_POOL_SIZE: '40' };
  const running = await startService(readSettings(settings, process.cwd()), pino({ level: 'warn' }));
  try {
    const { sql } = running.platform;
    const shop = await testOrganization(sql);
    const result = await checkFeed({
      baseUrl: running.baseUrl,
      token: shop.owner.token,
      organizationId: shop.id,
      sql,
      ordering: running.service.ordering,
      events: EVENTS,
      writers: 16,
      readers: 4,
      longestPauseMs: 20,
      holdMs: 30_000,
    });
    console.table(result);
    const { eventsWritten, missing, doubled, outOfOrder, readDuringHold } = result;
    return eventsWritten >= EVENTS && missing + doubled + outOfOrder === 0 && readDuringHold > 0;
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
