import { BACKUP_COMMANDS } from './backup-commands.ts';
import { BILLING_COMMANDS } from './billing-commands.ts';
import { CLIENT_COMMANDS } from './client/index.ts';
import { CLUSTER_COMMANDS } from './cluster-commands.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor-command.ts';
import { EVENT_COMMANDS } from './event-commands.ts';
import { IMPORT_COMMANDS } from './import-command.ts';
import { ORG_COMMANDS } from './org-commands.ts';
import { PARTNER_COMMANDS } from './partner-commands.ts';
import { REBUILD_COMMANDS } from './rebuild-command.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOKEN_COMMANDS } from './token-commands.ts';
import { upgradeDatabaseCommand } from './upgrade-database-command.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...SERVICE_COMMANDS,
  ...BACKUP_COMMANDS,
  ...CLUSTER_COMMANDS,
  doctorCommand,
  upgradeDatabaseCommand,
  ...ORG_COMMANDS,
  ...USER_COMMANDS,
  ...TEAM_COMMANDS,
  ...TOKEN_COMMANDS,
  ...BILLING_COMMANDS,
  ...PARTNER_COMMANDS,
  ...IMPORT_COMMANDS,
  ...REBUILD_COMMANDS,
  ...EVENT_COMMANDS,
  ...CLIENT_COMMANDS,
];
