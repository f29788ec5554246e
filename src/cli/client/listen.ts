import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type OrderEvent, rawBodyOf, signWebhook } from '../../../sdk/src/index.ts';
import { printable } from '../../platform/text/printable.ts';
import { defineCommand, UsageError } from '../command.ts';
import { CLIENT_OPTIONS, connect, readAddress, readEventTypes, untilInterrupted } from './connect.ts';

/** As long as a real delivery has. */
const DEADLINE_MS = 10_000;
/** Interactive use: retries bridge the restart of a receiver, not an outage of days. */
const RETRY_DELAYS_MS = [500, 2_000];
const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/;

type Forwarded = { status: number | null; error: string; duration_ms: number; attempts: number };

export const listen = defineCommand({
  name: 'listen',
  summary: 'pass order events on to a receiver on this machine, signed like real deliveries',
  options: {
    forward: { value: 'URL', meaning: 'where each event is posted', required: true },
    events: { value: 'TYPES', meaning: 'only these types, with commas between them', repeated: true },
    since: {
      value: 'CURSOR',
      meaning: "an event's cursor: what came after it; oldest: all that is kept. From now on otherwise",
    },
    secret: { value: 'SECRET', meaning: 'whsec_..., to sign with; a new one is made and shown otherwise' },
    ...CLIENT_OPTIONS,
  },
  example: 'listen --forward http://localhost:3000/hooks --events order.created,order.cancelled',
  details: `The receiver gets the headers of a delivery (webhook-id, webhook-timestamp, webhook-signature) and the same body. One event after
the other, in order; each has ten seconds, and is tried again twice. With --json each line is a JSON object. Ctrl-C ends it; --since with the last cursor goes on from there.`,
  async run(context, { options, json }) {
    const { out, screen } = context;
    const target = readAddress(options.forward, '--forward');
    const eventTypes = readEventTypes(options.events);
    const secret = options.secret ?? `whsec_${randomBytes(30).toString('base64')}`;
    if (!SECRET.test(secret)) throw new UsageError('--secret is whsec_ followed by base64 text');
    const { dukkan, url } = connect(context, options);
    const { signal, end } = untilInterrupted();
    const changes = dukkan.changes({
      ...(options.since === undefined ? {} : { since: options.since }),
      eventTypes,
      signal,
      onReconnect: ({ message }) => screen.write(`${printable(message)}; connecting again\n`),
    });
    screen.write(`Listening at ${url}, passing on to ${target}\n`);
    if (options.secret === undefined) screen.write(`Signed with ${secret}\n`);
    try {
      for await (const event of changes) {
        const forwarded = await forward(event, target, secret, signal);
        if (signal.aborted) break;
        out.write(json ? `${JSON.stringify(jsonLine(event, forwarded))}\n` : textLine(event, forwarded));
      }
    } finally {
      end();
    }
    return { exitCode: 0 };
  },
});

async function forward(event: OrderEvent, target: string, secret: string, signal: AbortSignal): Promise<Forwarded> {
  const body = rawBodyOf(event);
  for (let attempt = 1; ; attempt += 1) {
    const startedAtMs = performance.now();
    const outcome = await post(event, body, target, secret, signal);
    const delayMs = RETRY_DELAYS_MS[attempt - 1];
    const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
    if (isTaken || delayMs === undefined || signal.aborted) {
      return { ...outcome, duration_ms: Math.round(performance.now() - startedAtMs), attempts: attempt };
    }
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

async function post(event: OrderEvent, body: string, target: string, secret: string, signal: AbortSignal) {
  const signed = await signWebhook(body, { id: event.id, secret });
  try {
    const response = await fetch(target, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      headers: {
        ...signed,
        'content-type': 'application/json',
        'user-agent': 'dukkan-webhooks',
        'x-svc-event-type': event.type,
        'x-svc-organization-id': event.organization_id,
      },
    });
    await response.body?.cancel();
    return { status: response.status, error: '' };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const why = name === 'TimeoutError' ? 'no answer in 10 s' : cause instanceof Error ? cause.message : message;
    return { status: null, error: why || (cause as NodeJS.ErrnoException | undefined)?.code || 'failed' };
  }
}

function jsonLine({ id, type, order_id, cursor, occurred_at }: OrderEvent, forwarded: Forwarded) {
  return { id, type, order_id, cursor, occurred_at, ...forwarded, after_ms: Date.now() - Date.parse(occurred_at) };
}

function textLine(
  { id, type, order, occurred_at, cursor }: OrderEvent,
  { status, error, duration_ms, attempts }: Forwarded,
) {
  const time = new Date().toTimeString().slice(0, 8);
  const outcome = status === null ? printable(error) : String(status);
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  const afterMs = Date.now() - Date.parse(occurred_at);
  const code = printable(order.external.code);
  return `${time}  ${type.padEnd(20)}  ${code}  ${id}  ${outcome} in ${duration_ms} ms${tries}, ${afterMs} ms after it happened  ${cursor}\n`;
}
