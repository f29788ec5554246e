import { CLIENT_COMMANDS } from './client/index.ts';
import type { Command } from './command.ts';
import { EVENT_COMMANDS } from './event-commands.ts';
import { IMPORT_COMMANDS } from './import-command.ts';
import { ORG_COMMANDS } from './org-commands.ts';
import { REBUILD_COMMANDS } from './rebuild-command.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOKEN_COMMANDS } from './token-commands.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...SERVICE_COMMANDS,
  ...ORG_COMMANDS,
  ...USER_COMMANDS,
  ...TEAM_COMMANDS,
  ...TOKEN_COMMANDS,
  ...IMPORT_COMMANDS,
  ...REBUILD_COMMANDS,
  ...EVENT_COMMANDS,
  ...CLIENT_COMMANDS,
];
