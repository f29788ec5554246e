import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { notFound } from '../../platform/http/problem.ts';
import { PUBLIC_TYPES } from './file-url.ts';

const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const binary = { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) };
const FileParams = Type.Object({
  owner: Type.String({
    description: 'Whose it is, as in the address',
    examples: ['0193a1f0-7c00-7000-8000-000000000001'],
  }),
  name: Type.String({ description: 'Its random name', examples: ['3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.webp'] }),
});

export const getFileDoc = {
  tags: ['Files'],
  operationId: 'getFile',
  summary: 'Download a stored image',
  description:
    'Cached for a year: a changed image has another URL. Requires no token, so that shops can show it on their own pages; its random name is its only protection.',
  takes: ['if-none-match'] as const,
  refuses: [notFound('File not found', { name: '3f0d5e0a-62c7-4f3b-9a55-2f1f6a1d7c11.webp' })],
  params: FileParams,
  response: {
    200: {
      description: 'The image. It never changes under this address.',
      content: Object.fromEntries(PUBLIC_TYPES.map((type) => [type, binary])),
    },
    304: Type.Unsafe<undefined>({
      type: 'null',
      description: 'The copy that If-None-Match names is still right',
    }),
    ...refusals,
  },
};
