import { type Static, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { orderId } from '../examples.ts';

export const MAX_TAGS_PER_ORDER = 10;
export const MAX_TAG_CHARACTERS = 40;
/** In the list of tags. */
export const MAX_TAGS_LISTED = 200;

const example = { order_id: orderId, tags: ['VIP', 'تغليف هدية'] };

export const OrderTags = Type.Object(
  { order_id: Type.String(), tags: Type.Array(Type.String()) },
  { title: 'OrderTags', description: 'The tags of an order, in the order in which they were set', examples: [example] },
);
export const OrderTagsSaved = mutationEnvelopeOf(OrderTags);

export const NewOrderTags = Type.Object(
  {
    tags: Type.Array(Type.String(), {
      maxItems: MAX_TAGS_PER_ORDER,
      description: `At most ${MAX_TAGS_PER_ORDER}, each of 1 to ${MAX_TAG_CHARACTERS} characters. Two spellings of one tag (case, accents, Arabic letter variants) count as the same`,
    }),
  },
  { title: 'NewOrderTags', examples: [{ tags: example.tags }] },
);

export const OrderTagCounts = Type.Object(
  {
    data: Type.Array(Type.Object({ tag: Type.String(), orders: Type.Integer() }, { title: 'OrderTagCount' })),
    count: Type.Integer(),
  },
  { title: 'OrderTagCounts', examples: [{ data: [{ tag: 'VIP', orders: 12 }], count: 1 }] },
);
export type OrderTagCountsShape = Static<typeof OrderTagCounts>;

export const TagsParams = Type.Object({
  id: Type.String({ description: "The order's id", examples: [orderId] }),
});
