import type { FastifyBaseLogger } from 'fastify';
import { seedDemo } from '../demo/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../settings.ts';
import { createAccount, createKey, createOrg, createToken, suspend } from './account-commands.ts';
import { type Options, readArguments, UsageError } from './arguments.ts';
import { describeApi } from './describe-api.ts';
import { retryParked, showParked } from './event-commands.ts';
import { runImport } from './import-command.ts';
import { openPlatform } from './open-platform.ts';
import { rebuild } from './rebuild-command.ts';

type Command = (platform: Platform, options: Options, words: string[]) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  // Opening the platform for it has migrated already.
  migrate: async () => 'The database is up to date.',
  seed: (platform, options) => seedDemo(platform, { force: options.force ?? false }),
  'org create': createOrg,
  'org suspend': async (platform, _options, words) => suspend(platform, words[2], true),
  'org resume': async (platform, _options, words) => suspend(platform, words[2], false),
  'user create': createAccount,
  'token create': createToken,
  'api-key create': createKey,
  'import products': runImport,
  'events parked': showParked,
  'events retry': retryParked,
  rebuild,
};

/** Every command but `serve`: does one thing, prints the outcome as JSON, and ends. */
export async function runCommand(args: string[], settings: Settings, log: FastifyBaseLogger): Promise<number> {
  const { words, options } = readArguments(args);
  if (words.join(' ') === 'openapi') {
    print(await describeApi(settings, log, { write: options.write ?? false }));
    return 0;
  }
  const command = findCommand(words);
  const upgrade = words[0] === 'migrate' ? { byForce: options.force || settings.platform.migrateByForce } : undefined;
  const opened = await openPlatform(settings.platform, log, upgrade);
  try {
    print(await command(opened.platform, options, words));
    return 0;
  } finally {
    await opened.close();
  }
}

function print(outcome: unknown): void {
  console.log(typeof outcome === 'string' ? outcome : JSON.stringify(outcome, null, 2));
}

function findCommand(words: string[]): Command {
  const command = COMMANDS[words.slice(0, 2).join(' ')] ?? COMMANDS[words[0] ?? ''];
  if (command === undefined) throw new UsageError(`Unknown command: ${words.join(' ')}`);
  return command;
}
