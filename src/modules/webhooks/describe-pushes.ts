import { eventExample, OrderEvent } from '../events/index.ts';
import { TestEvent, testEventExample } from './schema.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

function headersOf(event: { id: string; type: string; organization_id: string }) {
  return [
    header(
      'webhook-id',
      "The event's id: the same on every retry and replay, so that a repeat is known by it.",
      event.id,
    ),
    header(
      'webhook-timestamp',
      'Unix seconds when this attempt was signed. Refuse one more than 300 seconds from your own clock.',
      '1794700000',
    ),
    header(
      'webhook-signature',
      '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, the key being the base64 after `whsec_` in the ' +
        'secret. Two of them with a space between for 24 hours after a rotation; one that fits is enough.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
    header('x-svc-event-type', 'The type of the event.', event.type),
    header('x-svc-organization-id', 'Whose order it is about.', event.organization_id),
  ];
}

const responses = {
  '2XX': { description: 'Taken. It has to come within 10 seconds of the first byte being sent.' },
  default: {
    description:
      'Anything else, redirects included, is tried again after 10 s, 1 min, 5 min, 30 min, 2 h, 8 h and 24 h; `Retry-After` can lengthen a wait. ' +
      'Then the delivery is dead. 410 disables the subscription at once, three days without a success do so too.',
  },
};

/** What subscribers are sent, as the `webhooks` of the API description. */
export const pushedEvents = {
  orderEvent: {
    post: {
      operationId: 'receiveOrderEvent',
      summary: 'A change of an order',
      description:
        'Sent to every active subscription whose filter names the type, or names none. The body is byte for byte what the change feed has. ' +
        'Each delivery retries on its own, so order events by `cursor`, not by arrival.',
      tags: ['Webhooks'],
      security: [],
      parameters: headersOf(eventExample),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: plain(OrderEvent), example: eventExample } },
      },
      responses,
    },
  },
  testEvent: {
    post: {
      operationId: 'receiveTestEvent',
      summary: 'An event on request, to try a receiver out',
      description:
        'Sent by the test route whatever the filter says, signed and retried like a real one. It has no order.',
      tags: ['Webhooks'],
      security: [],
      parameters: headersOf(testEventExample),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: plain(TestEvent), example: testEventExample } },
      },
      responses,
    },
  },
};

/** As the description shows it: its example stands beside it, and what the schema library notes is left behind. */
function plain(schema: object): { [keyword: string]: unknown } {
  const { examples: _examples, ...rest } = JSON.parse(JSON.stringify(schema)) as { examples?: unknown };
  return rest;
}
