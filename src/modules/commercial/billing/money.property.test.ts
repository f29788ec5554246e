import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, billingDay, periodsBetween } from './billing-day.ts';
import { type ChargeableAssignment, feesOfPeriod, keyOfAssignment } from './due-fees.ts';
import { findAmount, fromHalalas, sumHalalas, toHalalas, vatOn, vatWithin } from './money.ts';
import { afterPart, appliedIn, type OpenFee, restOf, settleWhole, settleWith } from './settlement.ts';

const halalas = fc.bigInt(1n, 10n ** 11n);
const openFees = fc
  .array(fc.tuple(fc.bigInt(1n, 10n ** 8n), fc.bigInt(0n, 10n ** 7n), fc.nat(1000)), { maxLength: 12 })
  .map((made) =>
    made.map(([amount, vat, paidPerMille], index): OpenFee => {
      const total = amount + vat;
      const paid = (total * BigInt(Math.min(paidPerMille, 999))) / 1000n;
      return {
        id: String(index),
        kind: 'branch',
        branchIvId: '',
        serviceCode: '',
        period: '',
        dueDate: '',
        vat,
        total,
        paid,
      };
    }),
  );

describe('an amount', () => {
  it('converts from text to halalas and back without loss', () => {
    fc.assert(
      fc.property(halalas, (amount) => {
        expect(toHalalas(fromHalalas(amount))).toBe(amount);
      }),
    );
  });

  it.each([
    [287.5, '287.50'],
    ['0.01', '0.01'],
    [1e9, '1000000000.00'],
    ['12.300', '12.30'],
    [0, undefined],
    [-1, undefined],
    [0.001, undefined],
    [1.005, undefined],
    [1e9 + 1, undefined],
    [1e-9, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['1e400', undefined],
    ['٢', undefined],
    ['', undefined],
  ])('parses %s as %s', (text, amount) => expect(findAmount(text)).toBe(amount));

  it('has VAT rounded half up to the halala', () => {
    expect(vatOn(25_000n, '15')).toBe(3_750n);
    expect(vatOn(10n, '15')).toBe(2n);
    expect(vatOn(9_99n, '5.5')).toBe(55n);
  });
});

describe('a settlement', () => {
  it('uses all the money or pays every fee, and only the last one in part', () => {
    fc.assert(
      fc.property(openFees, halalas, (fees, money) => {
        const parts = settleWith(money, fees);
        const owed = sumHalalas(fees.map(restOf));
        expect(appliedIn(parts)).toBe(money < owed ? money : owed);
        expect(parts.map(({ fee }) => fee.id)).toEqual(fees.slice(0, parts.length).map(({ id }) => id));
        for (const part of parts.slice(0, -1)) expect(restOf(afterPart(part))).toBe(0n);
        for (const { applied, vat } of parts) expect(applied > 0n && vat >= 0n && vat <= applied).toBe(true);
      }),
    );
  });

  it('splits the VAT of a fee over any number of parts without loss', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 8n),
        fc.bigInt(0n, 10n ** 7n),
        fc.array(fc.bigInt(1n, 10n ** 6n)),
        (amount, vat, cuts) => {
          const whole: OpenFee = { ...emptyFee, vat, total: amount + vat, paid: 0n };
          let fee = whole;
          let vatPaid = 0n;
          for (const cut of [...cuts, whole.total]) {
            for (const part of restOf(fee) > 0n ? settleWith(cut, [fee]) : []) {
              expect(part.vat >= 0n && part.vat <= part.applied).toBe(true);
              vatPaid += part.vat;
              fee = afterPart(part);
            }
          }
          expect([restOf(fee), vatPaid]).toEqual([0n, vat]);
          expect(vatWithin(whole, whole.total)).toBe(whole.total === 0n ? 0n : vat);
        },
      ),
    );
  });

  it('from the wallet stops at the first fee that it does not cover', () => {
    fc.assert(
      fc.property(openFees, halalas, (fees, balance) => {
        const parts = settleWhole(balance, fees);
        for (const part of parts) expect(restOf(afterPart(part))).toBe(0n);
        const next = fees[parts.length];
        if (next !== undefined) expect(restOf(next) > balance - appliedIn(parts)).toBe(true);
      }),
    );
  });
});

const emptyFee = { id: '', kind: 'branch' as const, branchIvId: '', serviceCode: '', period: '', dueDate: '' };

describe('a month', () => {
  const plan = { branchFeeSar: '250', vatPercent: '15' };
  const assignment: ChargeableAssignment = {
    organizationAppId: 'a',
    serviceId: 's',
    serviceCode: 'MENU',
    priceSar: '33.33',
    vatPercent: '15',
    quantity: 3,
    billingCycle: 'monthly',
    startsAt: new Date('2026-03-10T00:00:00Z'),
    created: new Date('2025-12-31T00:00:00Z'),
  };
  const charged = (cycle: ChargeableAssignment['billingCycle'], startsAt: string, from: string, through: string) => {
    const last = new Map<string, string>();
    return periodsBetween(from, through).filter((period) => {
      const assigned = { ...assignment, billingCycle: cycle, startsAt: new Date(startsAt) };
      const [fee] = feesOfPeriod(period, plan, [], [assigned], last);
      if (fee !== undefined) last.set(keyOfAssignment(assignment), period);
      return fee !== undefined;
    });
  };

  it('begins at midnight in Riyadh', () => {
    expect(billingDay(new Date('2026-10-31T20:59:59Z'))).toBe('2026-10-31');
    expect(billingDay(new Date('2026-10-31T21:00:00Z'))).toBe('2026-11-01');
    expect([addMonths('2026-12-01', 1), addMonths('2026-01-01', -1)]).toEqual(['2027-01-01', '2025-12-01']);
  });

  it('is charged for branches that existed when it began', () => {
    const branches = [
      { ivId: 'B', created: new Date('2026-10-31T20:00:00Z') },
      { ivId: 'A', created: new Date('2026-01-01T00:00:00Z') },
      { ivId: 'C', created: new Date('2026-10-31T22:00:00Z') },
    ];
    const fees = feesOfPeriod('2026-11-01', plan, branches, [], new Map());
    expect(fees.map(({ branchIvId, dueDate, amount, vat }) => [branchIvId, dueDate, amount, vat])).toEqual([
      ['A', '2026-11-15', 25_000n, 3_750n],
      ['B', '2026-11-15', 25_000n, 3_750n],
    ]);
    expect(feesOfPeriod('2026-11-01', { ...plan, branchFeeSar: '0' }, branches, [], new Map())).toEqual([]);
  });

  it('is charged for services by their billing cycle', () => {
    expect(feesOfPeriod('2026-04-01', plan, [], [assignment], new Map())).toMatchObject([
      { kind: 'service', serviceCode: 'MENU', amount: 9_999n, vat: 1_500n },
    ]);
    expect(charged('monthly', '2026-03-10', '2026-01-01', '2026-06-01')).toEqual([
      '2026-04-01',
      '2026-05-01',
      '2026-06-01',
    ]);
    expect(charged('monthly', '2026-03-31T21:00:00Z', '2026-02-01', '2026-04-01')).toEqual(['2026-04-01']);
    expect(charged('once', '2026-03-10', '2026-01-01', '2027-12-01')).toEqual(['2026-04-01']);
    expect(charged('yearly', '2026-03-10', '2026-01-01', '2028-12-01')).toEqual([
      '2026-04-01',
      '2027-04-01',
      '2028-04-01',
    ]);
    // Assigned too late for its first month.
    expect(charged('once', '2026-03-10', '2026-06-01', '2027-12-01')).toEqual(['2026-07-01']);
  });

  it('is not charged for services that were assigned after it began, whenever the run comes', () => {
    const months = (created: string) =>
      periodsBetween('2026-02-01', '2026-05-01').filter((period) => {
        const at = new Date(created);
        return feesOfPeriod(period, plan, [], [{ ...assignment, startsAt: at, created: at }], new Map()).length > 0;
      });
    expect(months('2026-03-31T20:59:59Z')).toEqual(['2026-04-01', '2026-05-01']);
    // The first of April in Riyadh.
    expect(months('2026-03-31T21:00:00Z')).toEqual(['2026-05-01']);
    const backdated = { ...assignment, startsAt: new Date('2026-03-10'), created: new Date('2026-04-20') };
    expect(feesOfPeriod('2026-04-01', plan, [], [backdated], new Map())).toEqual([]);
    const ahead = { ...assignment, startsAt: new Date('2026-03-31T21:00:00Z'), created: new Date('2026-03-20') };
    expect(feesOfPeriod('2026-04-01', plan, [], [ahead], new Map())).toHaveLength(1);
  });
});
