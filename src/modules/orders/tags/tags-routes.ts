import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { orderId } from '../examples.ts';
import { slow } from '../list/expensive-reads.ts';
import { orderNotFound } from '../refusals.ts';
import { countOrdersByTag } from '../sql/tags.ts';
import { findTags } from './find-tags.ts';
import { readTags } from './read-tag.ts';
import { setTags } from './set-tags.ts';
import * as shapes from './tags-schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function tagRoutes(app: App, { sql, clock }: Platform): void {
  app.get(
    '/orders/tags',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'listOrderTags',
        summary: 'The tags in use, most used first',
        description: `At most ${shapes.MAX_TAGS_LISTED}, each with the number of its orders. An account confined to one branch sees the tags of the orders of that branch.`,
        response: { 200: shapes.OrderTagCounts, ...refusals },
      },
    },
    async (request) => {
      // Counted from all tagged orders: its cost grows with them.
      const data = await countOrdersByTag(slow(sql), tenantOf(request), shapes.MAX_TAGS_LISTED);
      return { data, count: data.length };
    },
  );

  app.get(
    '/orders/:id/tags',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'getOrderTags',
        summary: 'The tags of an order',
        description: 'Tags are for the team: no vendor, customer, event or webhook receives them.',
        refuses: [orderNotFound(orderId)],
        params: shapes.TagsParams,
        response: { 200: shapes.OrderTags, ...refusals },
      },
    },
    async (request) => {
      const { id } = request.params;
      return { order_id: id.toLowerCase(), tags: await findTags(sql, tenantOf(request), id) };
    },
  );

  app.put(
    '/orders/:id/tags',
    {
      config: { access: tenant('update', 'Orders') },
      schema: {
        tags,
        operationId: 'setOrderTags',
        summary: 'Replace the tags of an order',
        description:
          'An empty list removes all. `GET /orders?tag=` finds the orders of a tag. A deleted order loses its tags.',
        refuses: [orderNotFound(orderId), unprocessable({ 'tags.1': 'repeats another tag' })],
        params: shapes.TagsParams,
        body: shapes.NewOrderTags,
        response: { 200: shapes.OrderTagsSaved, ...refusals },
      },
    },
    async (request) => {
      const owner = tenantOf(request);
      const { id } = request.params;
      const read = readTags(request.body.tags);
      await inTransaction(sql, (tx) => setTags(tx, owner, id, read));
      const saved = { order_id: id.toLowerCase(), tags: read.map(({ tag }) => tag) };
      return mutationEnvelope(clock, 'Tags saved', saved);
    },
  );
}
