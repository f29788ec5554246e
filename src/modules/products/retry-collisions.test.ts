import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { retryCollisions } from './retry-collisions.ts';

let sql: Sql;
let organizationId: string;

beforeAll(async () => {
  ({ sql } = await testDatabase());
  ({ id: organizationId } = await testOrganization(sql));
});

const insert = (tx: Sql | Tx, ivId: string) => tx`
  insert into products (organization_id, id, iv_id, created, updated)
  values (${organizationId}, ${newId()}, ${ivId}, now(), now())`;

describe('retryCollisions', () => {
  it('runs again when an iv_id was taken, until the work settles it', async () => {
    await insert(sql, 'taken');
    let runs = 0;
    const answer = await retryCollisions(() =>
      inTransaction(sql, async (tx) => {
        runs += 1;
        await insert(tx, runs < 3 ? 'taken' : 'free');
        return 'done';
      }),
    );
    expect([answer, runs]).toEqual(['done', 3]);
  });

  it('runs again when the database broke a circle of waiting', async () => {
    await insert(sql, 'one');
    await insert(sql, 'two');
    const lock = (tx: Tx, ivId: string) => tx`
      select from products where organization_id = ${organizationId} and iv_id = ${ivId} for update`;
    let runs = 0;
    const bothHoldOne = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const finished = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const taker = async (index: 0 | 1, first: string, second: string) => {
      let isAgain = false;
      await retryCollisions(() =>
        inTransaction(sql, async (tx) => {
          runs += 1;
          // The one that was broken off is not to take its row again before the other, woken at the same moment, has it.
          if (isAgain) await finished[1 - index]?.promise;
          isAgain = true;
          await lock(tx, first);
          bothHoldOne[index]?.resolve();
          await Promise.all(bothHoldOne.map(({ promise }) => promise));
          await lock(tx, second);
        }),
      );
      finished[index]?.resolve();
    };
    await Promise.all([taker(0, 'one', 'two'), taker(1, 'two', 'one')]);
    expect(runs).toBe(3);
  });

  it('does not run again for anything else', async () => {
    for (const error of [conflict('Duplicate barcode', {}), new Error('broken')]) {
      let runs = 0;
      const failing = retryCollisions(async () => {
        runs += 1;
        throw error;
      });
      await expect(failing).rejects.toBe(error);
      expect(runs).toBe(1);
    }
    let runs = 0;
    const unknownOrganization = retryCollisions(async () => {
      runs += 1;
      await sql`
        insert into products (organization_id, id, iv_id, created, updated)
        values (${newId()}, ${newId()}, 'x', now(), now())`;
    });
    await expect(unknownOrganization).rejects.toThrow('foreign key');
    expect(runs).toBe(1);
  });

  it('fails after the last retry', async () => {
    let runs = 0;
    const hopeless = retryCollisions(async () => {
      runs += 1;
      await insert(sql, 'taken');
    });
    await expect(hopeless).rejects.toThrow('products_iv_id');
    expect(runs).toBe(50);
  });
});
