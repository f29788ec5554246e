import { pino } from 'pino';
import type { Platform } from '../../platform/platform.ts';
import { readSettings } from '../../settings.ts';
import type { CommandContext } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { runCommandLine } from '../run-command-line.ts';

export type Ran = { code: number; out: string; shown: string };

/** A line as an operator types it, in this process. Without a platform it must not ask for one, nor for settings. */
export async function runLine(platform: Platform | undefined, ...args: string[]): Promise<Ran> {
  let [out, shown] = ['', ''];
  const missing = () => {
    throw new Error('asked for what this command does not need');
  };
  const context: CommandContext = {
    settings: () => (platform === undefined ? missing() : readSettings({ PUBLIC_URL: 'https://shop.example' }, '/')),
    log: () => pino({ level: 'silent' }),
    platform: async () => platform ?? missing(),
    migrate: missing,
    env: {},
    out: { write: (text) => write(text) },
    screen: {
      write: (text) => {
        shown += text;
      },
    },
  };
  const write = (text: string) => {
    out += text;
  };
  const code = await runCommandLine(args, { commands: COMMANDS, context, version: '9.9.9', out: { write } });
  return { code, out, shown };
}

/** What it answers with `--json`. */
export async function answerOf<Value = Record<string, string>>(platform: Platform, ...args: string[]): Promise<Value> {
  const { out } = await runLine(platform, ...args, '--json');
  return JSON.parse(out);
}
