import { randomUUID } from 'node:crypto';
import {
  type BodyOf,
  type Dukkan,
  DukkanError,
  EVENT_TYPES,
  type EventType,
  type OrderEvent,
} from '../../../sdk/src/index.ts';
import { defineCommand, UsageError } from '../command.ts';
import { formatTable } from '../format-text.ts';
import { CLIENT_OPTIONS, connect, readEventType } from './connect.ts';

/** The publisher needs some milliseconds; after this time the command reports a timeout. */
const PATIENCE_MS = 30_000;

type Step = { did: string; operation: string };
type Test = { dukkan: Dukkan; steps: Step[]; orderId: string };
type Recipe = { means: string; payment?: 'completed'; act?(test: Test): Promise<void> };

const move =
  (body: Record<string, string>, did: string): Recipe['act'] =>
  async (test) => {
    await test.dukkan.call('advanceOrder', { path: { id: test.orderId }, body });
    test.steps.push({ did, operation: 'advanceOrder' });
  };

/** How each event comes about in life, on a test order of its own. */
const RECIPES: Record<EventType, Recipe> = {
  'order.created': { means: 'a test order is placed' },
  'order.updated': {
    means: 'and its fulfillment status changed',
    act: move({ fulfillment_status: 'Partial' }, 'set fulfillment_status to Partial'),
  },
  'order.status_changed': {
    means: 'and moved on',
    act: move({ order_status: 'READY_FOR_PICKUP' }, 'moved it to READY_FOR_PICKUP'),
  },
  'order.cancelled': { means: 'and cancelled', act: move({ order_status: 'CANCELLED' }, 'cancelled it') },
  'order.refunded': {
    means: 'paid, and refunded',
    payment: 'completed',
    act: move({ payment_status: 'refunded' }, 'refunded it'),
  },
  'order.invoiced': { means: 'and invoiced, which needs a VAT number in the settings', act: invoice },
  'order.departed': { means: 'and moved to another branch, of which there must be two', act: depart },
  'order.deleted': { means: 'and deleted', act: remove },
};

export const trigger = defineCommand({
  name: 'trigger',
  summary: 'make an order event happen for real, on a test order; alone it lists the events',
  argument: { name: 'EVENT', meaning: 'such as order.created', required: false },
  options: {
    delete: { meaning: 'delete the test order afterwards, which is an event of its own' },
    ...CLIENT_OPTIONS,
  },
  example: 'trigger order.cancelled',
  details: `Places an order with source_transaction_id trigger-... and does to it what the event is about, by the grants of the token. It counts
in the figures of the shop like any other, unless it is deleted.`,
  async run(context, { options, argument }) {
    if (argument === undefined) {
      if (options.delete) throw new UsageError('--delete goes with an event');
      const events = EVENT_TYPES.map((type) => ({ event: type, happens: RECIPES[type].means }));
      return { value: { events }, text: formatTable(['event', 'happens'], events) };
    }
    const type = readEventType(argument);
    const { dukkan } = connect(context, options);
    const { next_cursor } = await dukkan.call('listOrderChanges', { query: { cursor: 'now' } });
    const test = await placeTestOrder(dukkan, RECIPES[type]);
    try {
      await RECIPES[type].act?.(test);
    } catch (error) {
      // The created data stays, so the error output names it.
      context.screen.write(`${formatSteps(test.steps)}\n`);
      throw error;
    }
    const event = await findEvent(dukkan, type, test.orderId, next_cursor);
    if (options.delete && type !== 'order.deleted') await remove(test);
    const value = { event_id: event.id, type, order_id: test.orderId, cursor: event.cursor, steps: test.steps, event };
    return { value, text: `${formatSteps(test.steps)}\n${type} ${event.id}, cursor ${event.cursor}` };
  },
});

function formatSteps(steps: readonly Step[]): string {
  return steps.map(({ did, operation }) => `${did} (${operation})`).join('\n');
}

async function placeTestOrder(dukkan: Dukkan, { payment }: Recipe): Promise<Test> {
  const sku = await findSku(dukkan);
  const key = `trigger-${randomUUID()}`;
  const price = sku?.effective_price || 100;
  const { data } = await dukkan.call('createOrder', {
    body: {
      source_transaction_id: key,
      order_status: 'RECEIVED',
      fulfillment_status: 'None',
      payment_status: payment ?? 'pending',
      comment: 'A test by dukkan trigger',
      total_amount: price,
      // Included in the price at the standard rate: an invoice is refused where vat_amount is missing for taxed goods.
      vat_amount: Math.round((price * 1500) / 115) / 100,
      skus: [sku?.iv_id ?? 'TEST-1'],
      products: [
        {
          product_id: sku?.product_iv_id ?? 'TEST-1',
          sku_id: sku?.iv_id ?? 'TEST-1',
          name: sku?.name_en ?? 'Test',
          quantity: 1,
          price,
        },
      ],
      destination: sku?.branch_iv_id ?? null,
    },
  });
  const steps = [{ did: `placed test order ${data.order_number} ${data.id}`, operation: 'createOrder' }];
  return { dukkan, steps, orderId: data.id };
}

/** One of the shop's own, where there is one and the account may see it: then a branch is part of the test. */
async function findSku(dukkan: Dukkan) {
  try {
    return (await dukkan.call('listSkus', { query: { limit: 1, is_enabled: true } })).data[0];
  } catch (error) {
    if (error instanceof DukkanError && error.status === 403) return undefined;
    throw error;
  }
}

async function invoice({ dukkan, steps, orderId }: Test): Promise<void> {
  const { data } = await dukkan.call('issueInvoice', { path: { id: orderId } });
  steps.push({ did: `issued invoice ${data.invoice_number}`, operation: 'issueInvoice' });
}

async function depart({ dukkan, steps, orderId }: Test): Promise<void> {
  const { order } = await dukkan.call('getOrder', { path: { id: orderId } });
  const { data: branches } = await dukkan.call('listBranches', { query: { limit: 2 } });
  const other = branches.find(({ id }) => id !== order.destination_id);
  if (order.destination_id === null || order.destination_id === '' || other === undefined) {
    throw new Error('order.departed needs two branches and a product');
  }
  await dukkan.call('replaceOrder', {
    path: { id: orderId },
    body: {
      source_transaction_id: order.source_transaction_id,
      order_status: order.order_status,
      fulfillment_status: order.fulfillment_status,
      skus: order.skus,
      products: order.products as BodyOf<'replaceOrder'>['products'],
      total_amount: order.total_amount,
      comment: order.comment,
      destination: other.iv_id,
    },
  });
  steps.push({ did: `moved it to ${other.name_en || other.iv_id}`, operation: 'replaceOrder' });
}

async function remove({ dukkan, steps, orderId }: Test): Promise<void> {
  const { data } = await dukkan.call('deleteOrders', { body: { order_ids: [orderId] } });
  const why = Object.values(data.errors ?? {})[0];
  if (why !== undefined) throw new Error(`The test order could not be deleted: ${why}`);
  steps.push({ did: 'deleted it', operation: 'deleteOrders' });
}

async function findEvent(dukkan: Dukkan, type: EventType, orderId: string, since: string): Promise<OrderEvent> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for await (const event of dukkan.changes({ since, eventTypes: [type], stream: false, signal })) {
    if (event.order_id === orderId) return event;
  }
  throw new Error(`${type} did not come within ${PATIENCE_MS / 1000} s: is a worker of the service running?`);
}
