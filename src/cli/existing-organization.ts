import { organizationExists } from '../modules/identity/index.ts';
import { isId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { UsageError } from './command.ts';

/** The id of an organization that is there, as it was typed. */
export async function existingOrganization({ sql }: Pick<Platform, 'sql'>, id: string): Promise<string> {
  if (!isId(id) || !(await organizationExists(sql, id))) throw new UsageError(`No organization ${id}`);
  return id;
}
