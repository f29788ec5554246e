import { describe, expect, it } from 'vitest';
import { emptyDatabase, testDatabase } from '../../../test/harness/index.ts';
import { secretBox } from '../secret-box.ts';
import { checkKnownSecret, findFact, settleInstallation } from './index.ts';

const RIGHT = 'the secret it was made with';
const WRONG = 'another secret';
const nothingSealed = async () => [];
const refused = expect.objectContaining({ message: expect.stringMatching(/^DUKKAN_SECRET .* is not the one/) });

describe('the secret of a database', () => {
  it('is the first one; later ones are refused', async () => {
    const { sql } = await testDatabase();
    await checkKnownSecret(sql, WRONG);
    await settleInstallation(sql, RIGHT, nothingSealed);
    const id = await findFact(sql, 'installation_id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect(settleInstallation(sql, WRONG, nothingSealed)).rejects.toEqual(refused);
    await expect(checkKnownSecret(sql, WRONG)).rejects.toEqual(refused);
    await checkKnownSecret(sql, RIGHT);
    await settleInstallation(sql, RIGHT, nothingSealed);
    expect(await findFact(sql, 'installation_id')).toBe(id);
    expect(await findFact(sql, 'secret_fingerprint')).not.toContain(RIGHT);
  });

  it('is recognized by what it encrypted before fingerprints were stored', async () => {
    const { sql } = await testDatabase();
    const sealed = [Buffer.from('damaged'), secretBox(RIGHT).seal('whsec_1')];
    await expect(settleInstallation(sql, WRONG, async () => sealed)).rejects.toEqual(refused);
    expect(await findFact(sql, 'secret_fingerprint')).toBeUndefined();
    await settleInstallation(sql, RIGHT, async () => sealed);
    await expect(settleInstallation(sql, WRONG, nothingSealed)).rejects.toEqual(refused);
  });

  it('is one: of concurrent starts on an empty database those with another secret are refused', async () => {
    const { sql } = await testDatabase();
    const secrets = Array.from({ length: 8 }, (_, index) => `secret number ${index % 4} of four`);
    const outcomes = await Promise.allSettled(secrets.map((secret) => settleInstallation(sql, secret, nothingSealed)));
    const taken = secrets.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(taken).toHaveLength(2);
    expect(new Set(taken).size).toBe(1);
  });

  it('is not checked, and nothing is created, in a database without tables', async () => {
    const { sql } = await emptyDatabase();
    await expect(checkKnownSecret(sql, WRONG)).resolves.toBeUndefined();
    expect(await sql`select from pg_tables where schemaname = 'public'`).toEqual([]);
  });
});
