import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { inTransaction } from '../database/index.ts';
import { newId } from '../ids.ts';
import type { Platform } from '../platform.ts';
import { beginOperation, OperationUnderWay, untilFree } from './begin-operation.ts';
import { createOperationRecovery, type Retries } from './recover-operations.ts';
import {
  abandonOperation,
  claimOperation,
  findOperation,
  listExpired,
  type Operation,
  type OperationKey,
  settleOperation,
} from './sql.ts';

const { sql } = await testDatabase();
const START = new Date('2026-03-01T10:00:00Z');
const LEASE_MS = 60_000;
const later = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

type Input = { amount: number };
const newKey = (): OperationKey => ({ organization_id: newId(), kind: newId(), subject_id: newId() });
const begin = (key: OperationKey, id?: string): Promise<Operation<Input>> =>
  inTransaction(sql, (tx) =>
    beginOperation(tx, key, {
      input: { amount: 5 },
      now: START,
      leaseMs: LEASE_MS,
      ...(id === undefined ? {} : { id }),
    }),
  );
const due = async ({ kind }: OperationKey, now: Date) =>
  (await listExpired(sql, { kind, now, limit: 10, ofTenant: 10 })).length;

function recoveryOf({ kind }: OperationKey, now: () => Date, retries?: Retries) {
  const platform = { sql, clock: { now }, log: pino({ level: 'silent' }) } as unknown as Platform;
  return createOperationRecovery<Input>(platform, {
    kind,
    leaseMs: LEASE_MS,
    recover: () => Promise.reject(new Error('the vendor is down')),
    ...(retries === undefined ? {} : { retries }),
  });
}

test('stores an operation under the id that is sent to the vendor', async () => {
  const [key, id] = [newKey(), newId()];
  await begin(key, id);
  expect((await findOperation(sql, key))?.id).toBe(id);
  await expect(begin(key)).rejects.toThrow(OperationUnderWay);
});

test('lets a request take over an abandoned operation before the recovery loop', async () => {
  const key = newKey();
  const operation = await begin(key);
  await abandonOperation(sql, operation, { freeAt: later(1), recoverAt: later(30) });
  expect([await due(key, later(29)), await due(key, later(30))]).toEqual([0, 1]);
  expect(await claimOperation(sql, operation, { now: START, leaseMs: LEASE_MS })).toBeUndefined();
  const claimed = await claimOperation(sql, operation, { now: later(1), leaseMs: LEASE_MS, input: { amount: 7 } });
  expect(claimed).toMatchObject({ id: operation.id, attempts: 2, input: { amount: 7 }, lease_until: later(61) });
  // The attempt that was taken over can write nothing, and the new one has the whole of its lease.
  expect(await settleOperation(sql, operation)).toBe(false);
  expect([await due(key, later(60)), await due(key, later(61))]).toEqual([0, 1]);
  expect(await settleOperation(sql, claimed as Operation)).toBe(true);
});

test('frees an abandoned operation when the recovery loop may take it', async () => {
  const key = newKey();
  const operation = await begin(key);
  await abandonOperation(sql, operation, { recoverAt: later(30) });
  expect(await claimOperation(sql, operation, { now: later(29), leaseMs: LEASE_MS })).toBeUndefined();
  expect(await claimOperation(sql, operation, { now: later(30), leaseMs: LEASE_MS })).toBeDefined();
});

test('recovers an operation whose lease has ended instead of waiting for it', async () => {
  const key = newKey();
  const left = await begin(key);
  const begun = await untilFree(() => begin(key), {
    now: () => later(60),
    recover: async (operation) => {
      await settleOperation(sql, operation);
    },
  });
  expect(begun.id).not.toBe(left.id);
});

test('dead-letters an operation after the last attempt of the loop, not of a request', async () => {
  const key = newKey();
  const now = later(60);
  const recovery = recoveryOf(key, () => now);
  await begin(key);
  for (let attempts = 1; attempts < 20; attempts += 1) {
    const left = (await findOperation<Input>(sql, key)) as Operation<Input>;
    expect(left).toMatchObject({ attempts, lease_until: now });
    await expect(recovery.recoverNow(left)).rejects.toThrow('the vendor is down');
  }
  const left = (await findOperation<Input>(sql, key)) as Operation<Input>;
  await expect(recovery.recoverNow(left, true)).rejects.toThrow('the vendor is down');
  expect(await findOperation(sql, key)).toBeUndefined();
});

test('leaves an operation free for requests and never dead-letters it where its kind says so', async () => {
  const key = newKey();
  let now = later(60);
  const retries = { delaysMs: [10_000, 20_000], maxAttempts: Number.POSITIVE_INFINITY };
  const recovery = recoveryOf(key, () => now, retries);
  let operation = await begin(key);
  for (let attempts = 2; attempts < 20; attempts += 1) {
    await expect(recovery.recoverNow(operation)).rejects.toThrow('the vendor is down');
    operation = (await findOperation<Input>(sql, key)) as Operation<Input>;
    expect(operation).toMatchObject({ attempts, lease_until: now });
    expect([
      await due(key, new Date(now.getTime() + 19_999)),
      await due(key, new Date(now.getTime() + 20_000)),
    ]).toEqual([0, 1]);
    now = new Date(now.getTime() + 20_000);
  }
});
