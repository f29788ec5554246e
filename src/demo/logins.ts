import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type DemoLogin = { email: string; password: string; token: string };

export type DemoOrganization = {
  id: string;
  name_en: string;
  name_ar: string;
  api_key: string;
  owner: DemoLogin;
  member: DemoLogin;
  viewer: DemoLogin;
  branch_user: DemoLogin & { branch_iv_id: string };
  no_analytics: DemoLogin;
};

/** What `demo.json` holds: the only copy of the random passwords and tokens. */
export type DemoLogins = {
  base_url: string;
  organizations: DemoOrganization[];
  suspended: { id: string; owner: DemoLogin };
  commercial: DemoLogin;
  /** Of the database that they open. Files of before have none. */
  installation_id?: string;
};

const usualFile = (dataDir: string) => path.join(dataDir, 'demo.json');
const ownFile = (dataDir: string, installationId: string) => path.join(dataDir, `demo-${installationId}.json`);

/** Of whichever installation was the first to write them to this folder. */
export function readLogins(dataDir: string): Promise<DemoLogins | undefined> {
  return readFrom(usualFile(dataDir));
}

export type FoundLogins = { file: string; logins: DemoLogins };

/**
 * Those of this installation. A file of before installations had ids is taken for its own when `knows` the first
 * organization in it.
 */
export async function findLogins(
  dataDir: string,
  installationId: string,
  knows: (organizationId: string) => Promise<boolean>,
): Promise<FoundLogins | undefined> {
  for (const file of [usualFile(dataDir), ownFile(dataDir, installationId)]) {
    const logins = await readFrom(file).catch(() => undefined);
    if (logins === undefined) continue;
    const isOwn =
      logins.installation_id === undefined
        ? await knows(logins.organizations[0]?.id ?? '')
        : logins.installation_id === installationId;
    if (isOwn) return { file, logins };
  }
  return undefined;
}

/**
 * A data folder may have served another database before, and then holds the only copy of that one's passwords: they are
 * left alone, and these go beside them. Gives the file.
 */
export async function writeLogins(dataDir: string, logins: DemoLogins): Promise<string> {
  const installationId = logins.installation_id ?? '';
  const usual = usualFile(dataDir);
  const file = (await isFreeFor(usual, installationId)) ? usual : ownFile(dataDir, installationId);
  await replaceLogins(file, logins);
  return file;
}

export async function replaceLogins(file: string, logins: DemoLogins): Promise<void> {
  const temporary = `${file}.new`;
  await writeFile(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}

async function isFreeFor(file: string, installationId: string): Promise<boolean> {
  try {
    const found = await readFrom(file);
    return found === undefined || found.installation_id === installationId;
  } catch {
    // Whatever it is, it is not ours.
    return false;
  }
}

async function readFrom(file: string): Promise<DemoLogins | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoLogins;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
