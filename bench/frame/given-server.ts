import { randomBytes } from 'node:crypto';
import { connectDatabase, type DatabaseAddress } from '../../src/platform/database/index.ts';
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
  return String(besideDatabase(serverUrl, name));
}

/** The same server and account, another database. */
export function besideDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  if (typeof address !== 'string') return { ...address, database };
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}
