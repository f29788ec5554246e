import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { listEnvelope, listEnvelopeOf, mutationEnvelopeOf } from './envelopes.ts';
import { offsetOf, PageQuery, readPaging, readSort } from './paging.ts';
import { Problem } from './problem.ts';
import { compileValidator } from './validation.ts';

describe('page and limit', () => {
  const validate = compileValidator({
    schema: Type.Object(PageQuery),
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  });
  const read = (query: Record<string, string>) =>
    validate(query) === true ? readPaging(query as { page?: number; limit?: number }) : undefined;

  it.each([
    [{}, { page: 1, limit: 20 }],
    [
      { page: '3', limit: '100' },
      { page: 3, limit: 100 },
    ],
    [{ page: '0' }, undefined],
    [{ page: '-1' }, undefined],
    [{ page: '1.5' }, undefined],
    [{ page: '90071992547409' }, { page: 90_071_992_547_409, limit: 20 }],
    [{ page: '90071992547410' }, undefined],
    [{ page: '1e400' }, undefined],
    [{ page: '0x10' }, undefined],
    [{ page: ' 3' }, undefined],
    [{ page: '0b1', limit: '5' }, undefined],
    [{ limit: '0' }, undefined],
    [{ limit: '101' }, undefined],
    [{ limit: 'all' }, undefined],
  ])('%j', (query, paging) => {
    expect(read(query)).toEqual(paging);
  });
});

describe('walking the pages of a list', () => {
  it('shows every row once, in order, and says when it is the last page', () => {
    fc.assert(
      fc.property(fc.nat(250), fc.integer({ min: 1, max: 100 }), (total, limit) => {
        const rows = Array.from({ length: total }, (_, index) => index);
        const seen: number[] = [];
        for (let page = 1; ; page += 1) {
          const start = offsetOf({ page, limit });
          const envelope = listEnvelope(rows.slice(start, start + limit), total, { page, limit });
          expect(envelope.count).toBe(envelope.data.length);
          seen.push(...envelope.data);
          if (!envelope.has_next) break;
        }
        expect(seen).toEqual(rows);
      }),
    );
  });
});

describe('sort', () => {
  const columns = ['created', 'name_en'] as const;
  const fallback = { column: 'created', descending: true } as const;

  it.each([
    [undefined, fallback],
    ['', fallback],
    ['name_en', { column: 'name_en', descending: false }],
    ['-name_en', { column: 'name_en', descending: true }],
  ])('%j', (raw, sort) => {
    expect(readSort(raw, columns, fallback)).toEqual(sort);
  });

  it.each(['colour', '--created', '+created', 'created,name_en', 'created desc', 'Created', '-'])(
    'refuses %j',
    (raw) => {
      expect(() => readSort(raw, columns, fallback)).toThrow(Problem);
    },
  );
});

describe('envelopes in the API description', () => {
  const item = Type.Object({ id: Type.String() }, { examples: [{ id: '7' }] });

  it('show the example of what they hold', () => {
    expect(listEnvelopeOf(item)).toMatchObject({ examples: [{ data: [{ id: '7' }], count: 1, total_count: 1 }] });
    expect(mutationEnvelopeOf(item)).toMatchObject({ examples: [{ success: true, data: { id: '7' } }] });
  });

  it('show none where there is none', () => {
    expect(listEnvelopeOf(Type.Object({}))).not.toHaveProperty('examples');
    expect(mutationEnvelopeOf(Type.Object({}))).not.toHaveProperty('examples');
  });
});
