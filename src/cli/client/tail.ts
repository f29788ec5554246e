import type { OrderEvent, Schemas } from '../../../sdk/src/index.ts';
import { printable } from '../../platform/text/printable.ts';
import { defineCommand, UsageError } from '../command.ts';
import { CLIENT_OPTIONS, connect, readEventTypes, untilInterrupted } from './connect.ts';

type Order = Schemas['CanonicalOrder'];
type Line = { at: string; event: string; was: string; order: Order };

const MAX_LAST = 100;
const WIDTHS = { event: 14, code: 14, status: 17, channel: 14, total: 16 } as const;
const COLOURS: Record<string, number> = {
  received: 36,
  pending_payment: 33,
  ready_for_pickup: 34,
  dispatched: 35,
  delivered: 32,
  cancelled: 31,
};
const [DIM, BOLD] = [2, 1];

export const tail = defineCommand({
  name: 'tail',
  summary: 'orders as they come: time, number, status, channel, total, branch',
  options: {
    events: { value: 'TYPES', meaning: 'only these types, with commas between them', repeated: true },
    since: {
      value: 'CURSOR',
      meaning: "an event's cursor: what came after it; oldest: all that is kept. From now on otherwise",
    },
    last: { value: 'N', meaning: `begin with the latest N orders, at most ${MAX_LAST}` },
    ...CLIENT_OPTIONS,
  },
  example: 'tail --last 10',
  details: 'In colour on a terminal, unless NO_COLOR is set. With --json each line is an event. Ctrl-C ends it.',
  async run(context, { options, json }) {
    const { out, screen, env } = context;
    const eventTypes = readEventTypes(options.events);
    const last = readLast(options.last);
    const { dukkan, url } = connect(context, options);
    const { signal, end } = untilInterrupted();
    const paint = out.isTTY && !env.NO_COLOR ? colour : plain;
    const show = (line: Line) => out.write(`${layOut(line, paint)}\n`);
    try {
      // Noted before the list is read: what comes in between is in the list or follows it, and never in neither.
      const { next_cursor } = await dukkan.call('listOrderChanges', { query: { cursor: 'now' }, signal });
      if (last > 0) {
        const query = { format: 'canonical', limit: last, sort: '-created' } as const;
        const { orders } = await dukkan.call('listOrders', { query, signal });
        for (const order of orders.toReversed()) {
          if (json) out.write(`${JSON.stringify({ type: 'listed', order })}\n`);
          else show({ at: order.created_at, event: 'listed', was: '', order });
        }
      }
      screen.write(`Following ${url}\n`);
      const changes = dukkan.changes({
        since: options.since ?? next_cursor,
        eventTypes,
        signal,
        onReconnect: ({ message }) => screen.write(`${printable(message)}; connecting again\n`),
      });
      for await (const event of changes) {
        if (json) out.write(`${JSON.stringify(event)}\n`);
        else show(lineOf(event));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      end();
    }
    return { exitCode: 0 };
  },
});

function readLast(text = '0'): number {
  const last = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(last <= MAX_LAST)) throw new UsageError(`--last is a number up to ${MAX_LAST}`);
  return last;
}

function lineOf({ occurred_at, change, status_from, status_to, order }: OrderEvent): Line {
  return { at: occurred_at, event: change, was: status_from === status_to ? '' : status_from, order };
}

type Paint = (text: string, code: number) => string;
export const colour: Paint = (text, code) => `\u001b[${code}m${text}\u001b[0m`;
const plain: Paint = (text) => text;

export function layOut({ at, event, was, order }: Line, paint: Paint): string {
  const { code } = order.external;
  const { total, currency } = order.amounts;
  const money = `${total.toFixed(2)} ${currency}`;
  return [
    paint(new Date(at).toTimeString().slice(0, 8), DIM),
    inColumn(event, WIDTHS.event),
    paint(inColumn(code, WIDTHS.code), BOLD),
    paint(inColumn(order.status, WIDTHS.status), COLOURS[order.status] ?? DIM),
    inColumn(order.channel.app_slug, WIDTHS.channel),
    printable(money).padStart(WIDTHS.total),
    printable(order.branch.name ?? order.branch.id ?? '-'),
    ...(was === '' ? [] : [paint(`was ${printable(was)}`, DIM)]),
  ].join('  ');
}

/** A column that one long value must not push aside. */
function inColumn(text: string, width: number): string {
  const shown = printable(text);
  return shown.length > width ? `${shown.slice(0, width - 1)}…` : shown.padEnd(width);
}
