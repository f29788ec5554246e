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
};

const fileIn = (dataDir: string) => path.join(dataDir, 'demo.json');

export async function readLogins(dataDir: string): Promise<DemoLogins | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as DemoLogins;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeLogins(dataDir: string, logins: DemoLogins): Promise<void> {
  const temporary = `${fileIn(dataDir)}.new`;
  await writeFile(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, fileIn(dataDir));
}
