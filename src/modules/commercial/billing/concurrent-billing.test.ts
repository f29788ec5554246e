import { describe, expect, it } from 'vitest';
import { amount, testDatabase } from '../../../../test/harness/index.ts';
import { seededRandom } from '../../../demo/random.ts';
import { connectDatabase, inTransaction, type Tx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { addDays } from '../../../platform/local-day.ts';
import { adjust, applyCredit, chargeMonths, foldBillingSums, readFleetSums, refund, takePayment } from './index.ts';
import { branchesOf, openBooks } from './testing/books.ts';
import { at, charge, pay, SIGNED_UP } from './testing/moves.ts';
import { findBrokenAccounts, recountFleet } from './testing/recount.ts';

const { sql, url } = await testDatabase();

describe('thirty-two concurrent writers', () => {
  const POSTERS = 32;
  it.each([1, 5])('never overdraw a wallet or charge twice, on %i organizations', async (organizations) => {
    const pool = connectDatabase(url, { poolSize: POSTERS, applicationName: 'posters' });
    const ids: string[] = [];
    for (let made = 0; made < organizations; made += 1) ids.push(await openBooks(sql, SIGNED_UP));
    const done = { topup: 0, credit: 0, refund: 0, adjustment: 0 };

    async function post(poster: number): Promise<void> {
      const random = seededRandom(poster + 1);
      for (let move = 0; move < 6; move += 1) {
        const id = ids[random.between(0, ids.length - 1)] ?? '';
        const amountSar = `${random.between(1, 400)}.${random.between(10, 99)}`;
        const move = { organizationId: id, amountSar, note: '', createdBy: 'op', now: at('2026-05-20') };
        const kind = random.between(0, 4);
        try {
          if (kind === 0) await charge(pool, id, 2, `2026-0${random.between(2, 6)}-03`);
          else if (kind === 1) await pay(pool, id, amountSar, '2026-05-20').then(() => (done.topup += 1));
          else if (kind === 2) await inTransaction(pool, (tx) => applyCredit(tx, move)).then(() => (done.credit += 1));
          else if (kind === 3)
            await inTransaction(pool, (tx) => refund(tx, { ...move, reference: '' })).then(() => (done.refund += 1));
          else
            await inTransaction(pool, (tx) =>
              adjust(tx, { ...move, direction: random.chance(0.5) ? 'credit' : 'debit' }),
            ).then(() => (done.adjustment += 1));
        } catch (error) {
          if (!(error instanceof Problem) || error.status !== 409) throw error;
        }
      }
    }
    try {
      await Promise.all(Array.from({ length: POSTERS }, (_, poster) => post(poster)));
      await Promise.all(ids.flatMap((id) => [1, 2, 3].map(() => charge(pool, id, 2, '2026-06-03'))));
    } finally {
      await pool.end();
    }
    const posted = await sql<{ entry_type: string; posted: number }[]>`
      select entry_type, count(*) as posted from ledger_entries
      where organization_id = any(${ids}::uuid[]) and entry_type <> 'branch_fee' group by entry_type`;
    expect(Object.fromEntries(posted.map((row) => [row.entry_type, row.posted]))).toEqual(done);
    // February to June of two branches each.
    const [fees] = await sql<{ made: number }[]>`
      select count(*) as made from branch_fees where organization_id = any(${ids}::uuid[])`;
    expect(fees?.made).toBe(10 * organizations);
    expect(await findBrokenAccounts(sql)).toEqual([]);
    expect(await readFleetSums(sql, '2026-06-03')).toEqual(await recountFleet(sql, '2026-06-03'));
  });
});

describe('random moves', () => {
  it('leave every stored sum equal to the sum of its rows', async () => {
    const pool = connectDatabase(url, { poolSize: 4, applicationName: 'random moves' });
    const WRITERS = 4;
    const MOVES = amount({ usual: 2_000, long: 10_000 }) / WRITERS;
    const MOVES_AT_ONCE = 50;

    async function writeMoves(number: number): Promise<void> {
      const random = seededRandom(Number(process.env.TEST_SEED ?? 7) * WRITERS + number);
      const ids: string[] = [];
      for (let made = 0; made < 5; made += 1) ids.push(await openBooks(sql, SIGNED_UP));
      let day = '2026-01-15';
      const move = async (tx: Tx, organizationId: string) => {
        const amountSar = `${random.between(0, 300)}.${random.between(10, 99)}`;
        const move = { organizationId, amountSar, note: '', createdBy: 'op', now: at(day) };
        const kind = random.next();
        if (kind < 0.2) await takePayment(tx, { ...move, method: 'card', reference: '' });
        else if (kind < 0.3) await applyCredit(tx, move);
        else if (kind < 0.55) await refund(tx, { ...move, reference: '' }).catch(onlyRefused);
        else if (kind < 0.9)
          await adjust(tx, { ...move, direction: random.chance(0.6) ? 'credit' : 'debit' }).catch(onlyRefused);
        else {
          const organization = { id: organizationId, plan: random.chance(0.5) ? 'growth' : 'starter' };
          await chargeMonths(tx, {
            organization,
            branches: branchesOf(random.between(1, 4)),
            assignments: [],
            now: at(day),
          });
        }
      };
      for (let batch = 0; batch < MOVES / MOVES_AT_ONCE; batch += 1) {
        day = addDays(day, random.between(0, 12));
        const id = ids[random.between(0, ids.length - 1)] ?? '';
        await inTransaction(pool, async (tx) => {
          for (let made = 0; made < MOVES_AT_ONCE; made += 1) await move(tx, id);
        });
        if (random.chance(0.1)) await foldBillingSums({ sql: pool });
      }
    }
    try {
      await Promise.all(Array.from({ length: WRITERS }, (_, number) => writeMoves(number)));
    } finally {
      await pool.end();
    }
    expect(await findBrokenAccounts(sql)).toEqual([]);
    for (const today of ['2026-06-30', '2026-11-15', '2027-01-01']) {
      expect(await readFleetSums(sql, today)).toEqual(await recountFleet(sql, today));
    }
    await foldBillingSums({ sql });
    const sums = await readFleetSums(sql, '2026-11-15');
    expect(sums).toEqual(await recountFleet(sql, '2026-11-15'));
    const { currentSar, days1To30Sar, days31To60Sar, days61PlusSar } = sums.receivables;
    const buckets = [currentSar, days1To30Sar, days31To60Sar, days61PlusSar].map((sar) =>
      Math.round(Number(sar) * 100),
    );
    expect(buckets.reduce((one, other) => one + other)).toBe(Math.round(Number(sums.outstandingSar) * 100));
  });
});

/** Refused under the lock, before anything is written, so the transaction goes on. */
function onlyRefused(error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 409) throw error;
}
