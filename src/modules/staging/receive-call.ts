import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../../channels/contract.ts';
import { batchWrites } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { batchReads, RETENTION_DAYS, type ReadyWeeks, type Sql } from '../../platform/database/index.ts';
import { conflict, notFound, Problem } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { InboundCall } from '../../platform/inbound/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { findApp, findInstalls, type Install } from '../apps/index.ts';
import { firstStageOf } from './first-stage.ts';
import type { IngestLimits } from './ingest-limits.ts';
import { insertReceived, type Received } from './sql/receive.ts';

const DAY_MS = 86_400_000;
/** How many installs are remembered, and how long one is without being looked at again. */
const MAX_REMEMBERED = 2_000;
const REMEMBERED_MS = 60_000;
/** Of the vendor's headers, what a reader may want to know; the rest is transport. */
const MAX_HEADERS = 100;
const MAX_HEADER_CHARACTERS = 2_000;
const NEVER_KEPT = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-ingest-token',
  'x-api-key',
  'x-signature',
]);
const SECRET_PARAMETERS = new Set(['token', 'tamaratoken']);

export type ReceivedAnswer = { stagingId: string; status: 200 | 202 };

export type Receiver = { receive(installId: string, call: InboundCall, ingestUrl: string): Promise<ReceivedAnswer> };

/**
 * Takes in a vendor's call: proven, stored, answered. Nothing is parsed that the proof does not need. The install is
 * remembered from one call to the next, and the statement that stores the call makes sure that it is still as it was: so a
 * call costs one statement, which it shares with whatever else comes in this moment.
 */
export function createReceiver(
  { sql, clock, box }: { sql: Sql; clock: Clock; box: SecretBox },
  { weeks, limits }: { weeks: ReadyWeeks; limits: Pick<IngestLimits, 'take'> },
): Receiver {
  const remembered = new LRUCache<string, Install>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  const readInstall = batchReads<string, Install>({
    load: (ids) => findInstalls(sql, box, ids),
    keyOf: (install) => install.id,
    textOf: (id) => id,
    maxBatch: 200,
    parallel: 2,
  });
  const store = batchWrites<Received, string | undefined>({
    name: 'calls',
    tenantOf: ({ organizationId }) => organizationId,
    bytesOf: ({ body }) => body.length + 1_000,
    async write(calls) {
      await weeks.ensure();
      return storeOnce(sql, calls);
    },
  });

  async function getInstall(id: string, { anew }: { anew: boolean }): Promise<Install> {
    const known = remembered.get(id);
    if (!anew && known !== undefined) return known;
    remembered.delete(id);
    const install = await readInstall(id);
    if (install === undefined) throw unknownAddress(id);
    remembered.set(id, install);
    return install;
  }

  async function receiveBy(
    install: Install,
    call: InboundCall,
    ingestUrl: string,
  ): Promise<ReceivedAnswer | undefined> {
    const app = findApp(install.app_slug);
    const now = clock.now();
    const { settings, ingestToken } = install;
    if (app?.inbound === undefined) throw unknownAddress(install.id);
    if (!app.inbound.verify(call, { settings, ingestToken, ingestUrl, now })) throw invalidSignature(app);
    if (!install.enabled) throw conflict('App is disabled', { id: install.id, app_slug: install.app_slug });
    limits.take(install, call.body.length);
    const stagingId = await store(toReceived(app, install, call, now));
    return stagingId === undefined ? undefined : { stagingId, status: app.inbound.successStatus ?? 202 };
  }

  return {
    async receive(installId, call, ingestUrl) {
      if (!isId(installId)) throw unknownAddress(installId);
      const id = installId.toLowerCase();
      const cached = await getInstall(id, { anew: false });
      let refusal: Problem | undefined;
      const usual = await receiveBy(cached, call, ingestUrl).catch((error: unknown) => {
        if (!(error instanceof Problem && (error.status === 401 || error.status === 409))) throw error;
        refusal = error;
        return undefined;
      });
      if (usual !== undefined) return usual;
      // A call refused by cached settings may be right by those in force. Where they are the same, verifying it twice would only
      // double what an unauthenticated caller costs.
      const current = await getInstall(id, { anew: true });
      if (refusal !== undefined && current.version === cached.version) throw refusal;
      const answer = await receiveBy(current, call, ingestUrl);
      if (answer === undefined) throw unknownAddress(installId);
      return answer;
    },
  };
}

/** Two of the same in one batch are one: the statement may not meet a delivery twice. */
async function storeOnce(sql: Sql, calls: readonly Received[]): Promise<(string | undefined)[]> {
  const first = new Map<string, Received>();
  const keyOf = ({ installId, delivery }: Received) => `${installId} ${delivery.toString('latin1')}`;
  for (const call of calls) if (!first.has(keyOf(call))) first.set(keyOf(call), call);
  const distinct = [...first.values()];
  const ids = await insertReceived(sql, distinct);
  const idOf = new Map(distinct.map((call, index) => [keyOf(call), ids[index]]));
  return calls.map((call) => idOf.get(keyOf(call)));
}

function toReceived(app: App, install: Install, call: InboundCall, now: Date): Received {
  // One that is there and empty names nothing.
  const deliveryId = app.inbound?.findDeliveryId?.(call) || undefined;
  const delivery = createHash('sha256');
  if (deliveryId === undefined) delivery.update(`${call.method} ${call.path}\n`).update(call.body);
  else delivery.update(`id\n${deliveryId}`);
  const keptMs = deliveryId === undefined ? DAY_MS : RETENTION_DAYS * DAY_MS;
  return {
    id: newId(),
    organizationId: install.organization_id,
    installId: install.id,
    installVersion: install.version,
    appSlug: install.app_slug,
    stage: firstStageOf(install.app_slug),
    method: call.method,
    path: storable(call.path),
    query: kept(call.query, (name) => !SECRET_PARAMETERS.has(name.toLowerCase())),
    headers: keptHeaders(app, install, call.headers),
    body: call.body,
    delivery: delivery.digest(),
    receivedAt: now,
    expiresAt: new Date(now.getTime() + keptMs),
  };
}

function keptHeaders(app: App, install: Install, headers: Readonly<Record<string, string>>): Record<string, string> {
  const chosen = install.settings.webhook_header?.toLowerCase();
  const secret = new Set([...(app.inbound?.secretHeaders ?? []), ...(chosen === undefined ? [] : [chosen])]);
  return kept(headers, (name) => !NEVER_KEPT.has(name) && !secret.has(name));
}

function kept(pairs: Readonly<Record<string, string>>, isKept: (name: string) => boolean): Record<string, string> {
  const chosen: Record<string, string> = Object.create(null);
  let left = MAX_HEADERS;
  for (const name of Object.keys(pairs)) {
    if (!isKept(name)) continue;
    if (left === 0) break;
    left -= 1;
    chosen[storable(name)] = storable(pairs[name] ?? '');
  }
  return chosen;
}

/** NUL is in no text of PostgreSQL, half a surrogate pair in no UTF-8. */
function storable(text: string): string {
  const short = text.length > MAX_HEADER_CHARACTERS ? text.slice(0, MAX_HEADER_CHARACTERS) : text;
  return (short.includes('\u0000') ? short.replaceAll('\u0000', '') : short).toWellFormed();
}

export function unknownAddress(id: string): Problem {
  return notFound('App not found', { id: id.slice(0, 100) });
}

export function invalidSignature(app: Pick<App, 'slug' | 'inbound'>): Problem {
  const signed = app.inbound?.secretHeaders?.includes('x-signature')
    ? ', or X-Signature where there is a webhook_secret'
    : '';
  const needs =
    app.inbound?.authentication === 'token' ? `X-Ingest-Token, or ?token=${signed}` : "the vendor's own proof";
  return new Problem(401, 'Call not proven', { app_slug: app.slug, needs });
}
