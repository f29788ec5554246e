import { type Static, Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { BranchParams, MAX_BULK_BRANCHES } from '../schema.ts';

export const closureId = '0193a1f0-7c00-7000-8000-00000000000c';
export const ClosureParams = Type.Object({
  ...BranchParams.properties,
  id: Type.String({ description: 'Of the closure, as the list shows it', examples: [closureId] }),
});

const day = (description: string) => Type.String({ format: 'date', description });
const reason = (language: string) => Type.Optional(Type.String({ maxLength: 255, description: `Why, in ${language}` }));
const closureFields = {
  from: day('First closed day, by the clock of the branch'),
  until: day('Last closed day, included'),
  reason_en: reason('English'),
  reason_ar: reason('Arabic'),
};
const example = { from: '2099-03-09', until: '2099-03-12', reason_en: 'Eid al-Fitr', reason_ar: 'عيد الفطر' };

export const NewClosureBody = Type.Object(closureFields, { title: 'NewClosure', examples: [example] });
export type NewClosureShape = Static<typeof NewClosureBody>;

export const NewClosuresBody = Type.Object(
  {
    ...closureFields,
    branch_iv_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        minItems: 1,
        maxItems: MAX_BULK_BRANCHES,
        description: 'Branches to close; required unless `all` is true',
      }),
    ),
    all: Type.Optional(Type.Boolean({ description: 'Every branch of the organization' })),
  },
  {
    title: 'NewClosures',
    examples: [
      { all: true, from: '2099-09-23', until: '2099-09-23', reason_en: 'National Day', reason_ar: 'اليوم الوطني' },
    ],
  },
);

const Closure = Type.Object(
  {
    id: Type.String(),
    from: Type.String(),
    until: Type.String({ description: 'Included' }),
    reason_en: Type.String(),
    reason_ar: Type.String(),
    created: Type.String(),
  },
  { title: 'BranchClosure', examples: [{ id: closureId, ...example, created: '2026-11-18T09:10:00.000Z' }] },
);
export const ClosureList = listEnvelopeOf(Closure);
export const ClosureCreated = mutationEnvelopeOf(Closure);
export const ClosuresCreated = mutationEnvelopeOf(
  Type.Object(
    { created: Type.Integer({ description: 'How many branches got the closure' }) },
    { title: 'ClosuresCreated', examples: [{ created: 12 }] },
  ),
);
