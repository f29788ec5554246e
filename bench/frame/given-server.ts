import { randomBytes } from 'node:crypto';
import { connectDatabase } from '../../src/platform/database/index.ts';
import type { CleanUp } from './clean-up.ts';

/** A server to measure on in place of the embedded one, as an address whose account may make databases. */
export const GIVEN_SERVER = process.env.BENCH_DATABASE_URL?.trim() || undefined;

/** A database of its own on that server, in the order of letters and with the letters that the server gives it; dropped at the end. */
export async function makeDatabase(serverUrl: string, cleanUp: CleanUp): Promise<string> {
  const admin = connectDatabase(serverUrl, { poolSize: 1, applicationName: 'bench' });
  const name = `dukkan_bench_${randomBytes(6).toString('hex')}`;
  await admin`create database ${admin(name)}`;
  cleanUp.add(async () => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin.end({ timeout: 1 });
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
