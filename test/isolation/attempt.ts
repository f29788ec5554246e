import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { expect } from 'vitest';
import { type DocumentedRoute, examplesOf, jsonBodyOf } from '../harness/documented-routes.ts';
import type { Aim } from './expectations.ts';
import type { ShopIds } from './shop-ids.ts';

export type Caller = { token?: string; apiKey?: string; organizationId?: string };
export type Answer = { status: number; text: string; sent: string };

/** Long enough for the first bytes of a stream that never ends; every other answer is complete by itself. */
const STREAM_MS = 300;

/** Sends the request of a route, aimed at what these ids stand for. */
export async function attempt(
  baseUrl: string,
  route: DocumentedRoute,
  aim: Aim,
  ids: ShopIds,
  caller: Caller,
): Promise<Answer> {
  const params = aim.at?.(ids) ?? {};
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? name));
  const query = aim.query?.(ids);
  const csv = aim.csv?.(ids);
  const body = aim.body?.(ids) ?? examplesOf(jsonBodyOf(route.operation))[0];
  const headers: Record<string, string> = {};
  if (caller.token !== undefined) headers.authorization = `Bearer ${caller.token}`;
  if (caller.apiKey !== undefined) headers['x-api-key'] = caller.apiKey;
  if (caller.organizationId !== undefined) headers['x-organization-id'] = caller.organizationId;
  const form = aim.form?.();
  if (csv !== undefined) headers['content-type'] = 'text/csv';
  else if (body !== undefined && form === undefined) headers['content-type'] = 'application/json';

  const target = path + (query === undefined ? '' : `?${query}`);
  const sentBody = csv ?? (body === undefined ? undefined : JSON.stringify(body));
  const url = `${baseUrl}/api/v1${target}`;
  const answer =
    form === undefined ? await send(url, route, headers, sentBody) : await sendForm(url, route, headers, form);
  expect(answer.status, `${route.key} must not fail`).toBeLessThan(500);
  return { ...answer, sent: `${target} ${sentBody ?? ''}` };
}

/** Not `fetch`, which takes twice the CPU time: the suite sends about 6,000 requests. */
async function send(
  url: string,
  { method }: DocumentedRoute,
  headers: Record<string, string>,
  sentBody: string | undefined,
): Promise<Omit<Answer, 'sent'>> {
  const {
    statusCode: status,
    headers: answered,
    body,
  } = await request(url, { method, headers, body: sentBody ?? null });
  const isStream = String(answered['content-type'] ?? '').startsWith('text/event-stream');
  return { status, text: isStream ? await readFor(body, STREAM_MS) : await body.text() };
}

async function sendForm(
  url: string,
  { method }: DocumentedRoute,
  headers: Record<string, string>,
  form: FormData,
): Promise<Omit<Answer, 'sent'>> {
  const response = await fetch(url, { method, headers, body: form });
  return { status: response.status, text: await response.text() };
}

async function readFor(stream: Readable, ms: number): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (part) => {
    text += part;
  });
  // That it was cut off.
  stream.on('error', () => undefined);
  await pause(ms);
  stream.destroy();
  return text;
}

/** The answer with names for the ids and without what differs from one moment to the next. */
export function neutral(answer: Answer, ids: ShopIds): string {
  let text = answer.text;
  const byLength = Object.entries(ids).toSorted(([, one], [, other]) => other.length - one.length);
  for (const [name, value] of byLength) text = text.replaceAll(value, `<${name}>`);
  return (
    `${answer.status} ${text}`
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
      .replace(
        /"(order_number|order_code|cursor|hint|secret|secret_hint|token|ingest_token|api_key|invite_url|reset_url)":"[^"]*"/g,
        '"$1":"<made>"',
      )
      // A cursor's second half is the second it was given in.
      .replace(/"next_cursor":"(\d{16})_\d+"/g, '"next_cursor":"$1"')
      .replace(/snapshot-<id>-\d+/g, '<snapshot>')
  );
}

/** Names of ids that the answer holds although the request did not. */
export function leaked(
  answer: Answer,
  ids: ShopIds,
  watched = Object.keys(ids) as readonly (keyof ShopIds)[],
): string[] {
  return watched.filter((name) => answer.text.includes(ids[name]) && !answer.sent.includes(ids[name]));
}
