import { Type } from 'typebox';
import { listEnvelopeOf } from '../../platform/http/envelopes.ts';
import { STAGING_STATUSES } from './staged-payload.ts';

export const EXAMPLE_STAGING_ID = '0193a1f0-7c00-7000-8000-000000000008';
const nullable = (description?: string) => Type.Union([Type.String(), Type.Null()], description ? { description } : {});

const rowFields = {
  id: Type.String(),
  organization_app_id: Type.String(),
  app_slug: Type.String(),
  event: nullable("The vendor's own name of what happened; absent until it was read"),
  external_order_id: nullable(),
  status: Type.Enum([...STAGING_STATUSES]),
  outcome: Type.Enum(['', 'created', 'updated', 'unchanged', 'ignored'], {
    description: 'unchanged: older than what is known, or the same; ignored: nothing for us. Empty while there is none',
  }),
  attempts: Type.Integer(),
  error: Type.Union([
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      path: Type.String({ description: 'Where in the payload' }),
    }),
    Type.Null(),
  ]),
  order_id: nullable(),
  received_at: Type.String(),
  processed_at: nullable(),
};

const exampleRow = {
  id: EXAMPLE_STAGING_ID,
  organization_app_id: '0193a1f0-7c00-7000-8000-000000000007',
  app_slug: 'salla',
  event: 'order.created',
  external_order_id: '2116149737',
  status: 'failed',
  outcome: '',
  attempts: 1,
  error: { code: 'missing', message: 'data.amounts.total.amount is missing', path: 'data.amounts.total.amount' },
  order_id: null,
  received_at: '2026-11-15T08:00:00.000Z',
  processed_at: '2026-11-15T08:00:00.120Z',
};

export const StagedShape = Type.Object(rowFields, { title: 'StagedPayload', examples: [exampleRow] });
export const StagedList = listEnvelopeOf(StagedShape);

export const StagedWithPayload = Type.Object(
  {
    ...rowFields,
    payload: Type.String({ description: "The vendor's bytes as text" }),
    original_payload: nullable('What the vendor sent, once the payload was mended'),
    mended_by: nullable('Who mended it'),
    mended_at: nullable(),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Without those that verify something' }),
  },
  {
    title: 'StagedPayloadInFull',
    examples: [
      {
        ...exampleRow,
        payload: '{"event":"order.created"}',
        original_payload: null,
        mended_by: null,
        mended_at: null,
        headers: { 'content-type': 'application/json' },
      },
    ],
  },
);

export const MAX_MENDED_CHARACTERS = 2 * 1024 * 1024;
export const MendedPayloadBody = Type.Object(
  {
    payload: Type.String({
      minLength: 1,
      maxLength: MAX_MENDED_CHARACTERS,
      description: 'The whole payload as JSON text, so that long numbers keep their digits',
    }),
  },
  { title: 'MendedPayload', examples: [{ payload: '{"event":"order.created","data":{"id":2116149737}}' }] },
);

const DayFigures = Type.Object({
  date: Type.String({ description: "A day of the organization's calendar" }),
  received: Type.Integer(),
  processed: Type.Integer(),
  failed: Type.Integer(),
});
export const AppHealth = Type.Object(
  { data: Type.Array(DayFigures), count: Type.Integer() },
  {
    title: 'AppHealth',
    examples: [{ data: [{ date: '2026-11-15', received: 42, processed: 41, failed: 1 }], count: 1 }],
  },
);

export const ReceivedData = Type.Object(
  { staging_id: Type.String() },
  { title: 'Received', examples: [{ staging_id: EXAMPLE_STAGING_ID }] },
);
