import { Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import type { GroupKind } from './group.ts';
import { SORT_COLUMNS } from './sql.ts';

const name = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 }));

export const GroupParams = Type.Object({
  id: Type.String({ description: 'Its id', examples: ['0193a1f0-7c00-7000-8000-00000000000b'] }),
});

export const GroupQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name in either language' })),
  sort: Type.Optional(
    Type.String({ default: '-created', description: `${SORT_COLUMNS.join(', ')}; after a minus for descending` }),
  ),
});

/** One set for each kind, so that the description of the API shows brands as brands. */
export function groupShapes({ noun, example }: GroupKind) {
  const groupExample = {
    id: '0193a1f0-7c00-7000-8000-00000000000b',
    ...example,
    created: '2026-11-15T08:00:00.000Z',
    updated: '2026-11-15T08:00:00.000Z',
  };
  const Group = Type.Object(
    {
      id: Type.String(),
      name_en: Type.String(),
      name_ar: Type.String(),
      created: Type.String(),
      updated: Type.String(),
    },
    { title: noun, examples: [groupExample] },
  );
  return {
    groupExample,
    Group,
    GroupBody: Type.Object(
      { name_en: name, name_ar: name },
      { title: `${noun}Names`, description: 'A name in at least one of the languages', examples: [example] },
    ),
    GroupList: listEnvelopeOf(Group),
    GroupSaved: mutationEnvelopeOf(Group),
  };
}
