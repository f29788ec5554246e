import { type Static, Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { MAX_PRICE, MAX_SKU_IV_ID_CHARACTERS } from '../schema.ts';

export const MAX_SCHEDULED_SKUS = 500;
const STATUSES = ['scheduled', 'active', 'ended'] as const;

const instant = (description: string) => Type.String({ maxLength: 40, description });

export const NewScheduleBody = Type.Object(
  {
    sku_iv_ids: Type.Array(Type.String({ minLength: 1, maxLength: MAX_SKU_IV_ID_CHARACTERS }), {
      minItems: 1,
      maxItems: MAX_SCHEDULED_SKUS,
    }),
    price: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_PRICE, description: 'Either price or percent' })),
    percent: Type.Optional(
      Type.Number({ minimum: -90, maximum: 500, description: 'Of the effective price at the start' }),
    ),
    starts_at: instant('RFC 3339 with an offset. In the past: at once'),
    ends_at: Type.Optional(instant('Then the earlier prices return. Absent: the new prices stay')),
  },
  {
    title: 'NewPriceSchedule',
    examples: [
      {
        sku_iv_ids: ['PAIN-0003_RUH-OLAYA'],
        percent: -15,
        starts_at: '2099-02-08T00:00:00+03:00',
        ends_at: '2099-02-15T00:00:00+03:00',
      },
    ],
  },
);
export type NewScheduleShape = Static<typeof NewScheduleBody>;

export const EXAMPLE_SCHEDULE_ID = '0193a1f0-7c00-7000-8000-0000000001b1';
const example = {
  id: EXAMPLE_SCHEDULE_ID,
  price: null,
  percent: -15,
  starts_at: '2099-02-07T21:00:00.000Z',
  ends_at: '2099-02-14T21:00:00.000Z',
  status: 'scheduled',
  skus: 1,
  first_sku_iv_ids: ['PAIN-0003_RUH-OLAYA'],
  created: '2026-11-15T08:00:00.000Z',
};

const nullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const PriceSchedule = Type.Object(
  {
    id: Type.String(),
    price: nullableNumber,
    percent: nullableNumber,
    starts_at: Type.String(),
    ends_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    status: Type.Unsafe<(typeof STATUSES)[number]>({ type: 'string', enum: [...STATUSES] }),
    skus: Type.Integer({ description: 'How many SKUs it has' }),
    first_sku_iv_ids: Type.Array(Type.String(), { description: 'The first five' }),
    created: Type.String(),
  },
  { title: 'PriceSchedule', description: 'Prices of SKUs for a period', examples: [example] },
);

export const ScheduleQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(
    Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description: 'Only those of this status',
    }),
  ),
});
export const ScheduleParams = Type.Object({
  id: Type.String({ description: "The schedule's id", examples: [EXAMPLE_SCHEDULE_ID] }),
});
export const ScheduleList = listEnvelopeOf(PriceSchedule);
export const ScheduleCreated = mutationEnvelopeOf(
  Type.Object(
    { id: Type.String(), skus: Type.Integer() },
    { title: 'PriceScheduleKey', examples: [{ id: EXAMPLE_SCHEDULE_ID, skus: 1 }] },
  ),
);
