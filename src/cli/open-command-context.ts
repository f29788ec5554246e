import type { FastifyBaseLogger } from 'fastify';
import type { Upgrade } from '../platform/database/index.ts';
import { openLog } from '../platform/log.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { CommandContext } from './command.ts';
import { openPlatform } from './open-platform.ts';
import type { Screen } from './show-progress.ts';

/** Reads settings and opens the database on first use. */
export function openCommandContext(
  env: Record<string, string | undefined>,
  cwd: string,
  screen: Screen,
  out: Screen,
): CommandContext & { close(): Promise<void> } {
  let settings: Settings | undefined;
  let log: FastifyBaseLogger | undefined;
  const closings: (() => Promise<void>)[] = [];
  const readOnce = () => {
    settings ??= readSettings(env, cwd);
    return settings;
  };
  const logOnce = () => {
    log ??= openLog(readOnce().platform, { isTTY: screen.isTTY ?? false, noColor: Boolean(env.NO_COLOR) });
    return log;
  };
  const open = async (upgrade?: Upgrade) => {
    const opened = await openPlatform(readOnce().platform, logOnce(), upgrade);
    closings.push(opened.close);
    return opened;
  };
  return {
    settings: readOnce,
    log: logOnce,
    screen,
    out,
    env,
    platform: async () => (await open()).platform,
    migrate: async (upgrade) => (await open(upgrade)).applied,
    async close() {
      for (const closing of closings.splice(0)) await closing();
    },
  };
}
