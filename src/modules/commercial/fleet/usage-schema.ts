import { Type } from 'typebox';
import { exampleOrganizationId } from './money-schema.ts';
import { MAX_USAGE_DAYS } from './read-usage.ts';

export const UsageQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_USAGE_DAYS,
      default: MAX_USAGE_DAYS,
      description: 'The last days, today included',
    }),
  ),
});

const counts = {
  orders: Type.Integer({ description: 'Orders placed, without deleted ones' }),
  webhook_deliveries: Type.Integer({ description: 'Deliveries made, whatever became of them' }),
  ingest: Type.Integer({ description: 'Payloads that vendors sent' }),
};
const example = { orders: 214, webhook_deliveries: 402, ingest: 188 };

export const OrganizationUsage = Type.Object(
  {
    organization_id: Type.String(),
    days: Type.Array(Type.Object({ date: Type.String(), ...counts }), {
      description:
        'Oldest first, one for each day. Orders and deliveries by the day of the organization, ingest by the day in UTC',
    }),
    totals: Type.Object(counts, { description: 'Of these days' }),
    users: Type.Integer({ description: 'Members' }),
    branches: Type.Integer(),
    products: Type.Integer(),
  },
  {
    title: 'OrganizationUsage',
    examples: [
      {
        organization_id: exampleOrganizationId,
        days: [{ date: '2026-11-15', ...example }],
        totals: example,
        users: 7,
        branches: 6,
        products: 412,
      },
    ],
  },
);
