import { type Static, type TSchema, Type } from 'typebox';
import type { Clock } from '../clock.ts';
import type { BulkOutcome } from './bulk-tally.ts';

/** The list envelope of branches, products and similar lists. */
export type ListEnvelope<T> = {
  data: T[];
  count: number;
  total_count: number;
  page: number;
  limit: number;
  has_next: boolean;
  meta: Record<string, unknown>;
};

export function listEnvelope<T>(
  rows: T[],
  totalCount: number,
  paging: { page: number; limit: number },
): ListEnvelope<T> {
  return {
    data: rows,
    count: rows.length,
    total_count: totalCount,
    page: paging.page,
    limit: paging.limit,
    has_next: paging.page * paging.limit < totalCount,
    meta: {},
  };
}

export function listEnvelopeOf<T extends TSchema>(item: T) {
  const rows = examplesOf(item);
  return Type.Object(
    {
      data: Type.Array(item),
      count: Type.Integer(),
      total_count: Type.Integer(),
      page: Type.Integer(),
      limit: Type.Integer(),
      has_next: Type.Boolean(),
      meta: Type.Object({}, { additionalProperties: true }),
    },
    {
      ...(named(item, 'List') ?? {}),
      ...(rows.length === 0 ? {} : { examples: [listEnvelope(rows, rows.length, { page: 1, limit: 20 })] }),
    },
  );
}

/** The list of Brand is named BrandList in the API description. */
function named(schema: TSchema, ending: string): { title: string } | undefined {
  return 'title' in schema ? { title: `${schema.title}${ending}` } : undefined;
}

export type MutationEnvelope<T> = { success: true; message: string; data: T; timestamp: string };

export function mutationEnvelope<T>(clock: Clock, message: string, data: T): MutationEnvelope<T> {
  return { success: true, message, data, timestamp: clock.now().toISOString() };
}

export function mutationEnvelopeOf<T extends TSchema>(data: T) {
  const examples = examplesOf(data).map((example) => ({
    success: true,
    message: 'Done',
    data: example,
    timestamp: '2026-11-15T08:00:00.000Z',
  }));
  return Type.Object(
    { success: Type.Boolean(), message: Type.String(), data, timestamp: Type.String() },
    { ...(named(data, 'Answer') ?? {}), ...(examples.length === 0 ? {} : { examples }) },
  );
}

/** The example of an envelope is built from the example of its content. */
function examplesOf(schema: TSchema): unknown[] {
  return 'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [];
}

export const ProblemSchema = Type.Object(
  {
    code: Type.Integer(),
    error: Type.String(),
    details: Type.Union([Type.Object({}, { additionalProperties: true }), Type.String()]),
  },
  {
    title: 'Problem',
    description:
      'A refusal: the HTTP status, what is wrong in a few words, and the fields or the sentence that say more',
    examples: [{ code: 404, error: 'Branch not found', details: { iv_id: 'BR-9' } }],
  },
);
export type ProblemShape = Static<typeof ProblemSchema>;

/** Results of a bulk call. */
export function bulkOutcomeOf(example: BulkOutcome) {
  return Type.Object(
    {
      succeeded: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({ minimum: 0 }),
      errors: Type.Record(Type.String(), Type.String(), {
        description:
          'What was wrong, by the key of the item (iv_id, order id, source_transaction_id), or by #<index> where it has none',
      }),
    },
    { title: 'BulkOutcome', description: 'Each item succeeds or fails on its own', examples: [example] },
  );
}
