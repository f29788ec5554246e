import { createHash, hash } from 'node:crypto';
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
/** How many installs are cached, and for how long. */
const MAX_CACHED = 2_000;
const CACHED_MS = 60_000;
/** Of 64 callers, 2 make batches of 32 and take 218 us of PostgreSQL's CPU for a call, 4 make batches of 16 and take 248. */
const MAX_CONCURRENT_STATEMENTS = 2;
/** Limits on the vendor's headers that are stored. */
const MAX_HEADERS = 100;
const MAX_HEADER_CHARACTERS = 2_000;
const NEVER_STORED = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-ingest-token',
  'x-api-key',
  'x-signature',
]);
const SECRET_PARAMETERS = new Set(['token', 'tamaratoken']);

export type ReceivedAnswer = { stagingId: string; status: 200 | 202 };

export type Receiver = {
  /** Few vendors sign the address that they call, so it is made when it is needed. */
  receive(installId: string, call: InboundCall, readIngestUrl: () => string): Promise<ReceivedAnswer>;
};

/**
 * Receives a vendor's call: verifies the signature, stores the call, answers. Only what the signature needs is parsed. The install is
 * cached between calls, and the statement that stores the call checks that it is unchanged: a call costs one statement, shared with
 * calls that arrive at the same time.
 */
export function createReceiver(
  { sql, clock, box }: { sql: Sql; clock: Clock; box: SecretBox },
  { weeks, limits }: { weeks: ReadyWeeks; limits: Pick<IngestLimits, 'take'> },
): Receiver {
  const cached = new LRUCache<string, Install>({ max: MAX_CACHED, ttl: CACHED_MS });
  const readInstall = batchReads<string, Install>({
    load: (ids) => findInstalls(sql, box, ids),
    keyOf: (install) => install.id,
    textOf: (id) => id,
    maxBatch: 200,
    parallel: 2,
  });
  const store = batchWrites<Received, string | undefined>({
    name: 'calls',
    maxConcurrent: MAX_CONCURRENT_STATEMENTS,
    tenantOf: ({ organizationId }) => organizationId,
    bytesOf: ({ body }) => body.length + 1_000,
    async write(calls) {
      await weeks.ensure();
      return storeDistinct(sql, calls);
    },
  });

  async function getInstall(id: string, { isFresh }: { isFresh: boolean }): Promise<Install> {
    const known = cached.get(id);
    if (!isFresh && known !== undefined) return known;
    cached.delete(id);
    const install = await readInstall(id);
    if (install === undefined) throw unknownAddress(id);
    cached.set(id, install);
    return install;
  }

  async function receiveBy(
    install: Install,
    call: InboundCall,
    readIngestUrl: () => string,
  ): Promise<ReceivedAnswer | undefined> {
    const app = findApp(install.app_slug);
    const now = clock.now();
    const { settings, ingestToken } = install;
    if (app?.inbound === undefined) throw unknownAddress(install.id);
    const context = {
      settings,
      ingestToken,
      now,
      get ingestUrl() {
        return readIngestUrl();
      },
    };
    if (!app.inbound.verify(call, context)) throw invalidSignature(app);
    if (!install.enabled) throw conflict('App is disabled', { id: install.id, app_slug: install.app_slug });
    limits.take(install, call.body.length);
    const stagingId = await store(toReceived(app, install, call, now));
    return stagingId === undefined ? undefined : { stagingId, status: app.inbound.successStatus ?? 202 };
  }

  return {
    async receive(installId, call, readIngestUrl) {
      if (!isId(installId)) throw unknownAddress(installId);
      const id = installId.toLowerCase();
      const install = await getInstall(id, { isFresh: false });
      let refusal: Problem | undefined;
      const usual = await receiveBy(install, call, readIngestUrl).catch((error: unknown) => {
        if (!(error instanceof Problem && (error.status === 401 || error.status === 409))) throw error;
        refusal = error;
        return undefined;
      });
      if (usual !== undefined) return usual;
      // A call refused by cached settings may be right by those in force. Where they are the same, verifying it twice would only
      // double what an unauthenticated caller costs.
      const current = await getInstall(id, { isFresh: true });
      if (refusal !== undefined && current.version === install.version) throw refusal;
      const answer = await receiveBy(current, call, readIngestUrl);
      if (answer === undefined) throw unknownAddress(installId);
      return answer;
    },
  };
}

/** Repeats within a batch are stored once: the statement must not contain a delivery twice. */
async function storeDistinct(sql: Sql, calls: readonly Received[]): Promise<(string | undefined)[]> {
  const first = new Map<string, Received>();
  const keyOf = ({ installId, delivery }: Received) => `${installId} ${delivery.toString('latin1')}`;
  for (const call of calls) if (!first.has(keyOf(call))) first.set(keyOf(call), call);
  const distinct = [...first.values()];
  const ids = await insertReceived(sql, distinct);
  const idOf = new Map(distinct.map((call, index) => [keyOf(call), ids[index]]));
  return calls.map((call) => idOf.get(keyOf(call)));
}

function toReceived(app: App, install: Install, call: InboundCall, now: Date): Received {
  // An empty delivery id identifies nothing.
  const deliveryId = app.inbound?.findDeliveryId?.(call) || undefined;
  const delivery =
    deliveryId === undefined
      ? createHash('sha256').update(`${call.method} ${call.path}\n`).update(call.body).digest()
      : hash('sha256', `id\n${deliveryId}`, 'buffer');
  const receiptLifetimeMs = deliveryId === undefined ? DAY_MS : RETENTION_DAYS * DAY_MS;
  return {
    id: newId(),
    organizationId: install.organization_id,
    installId: install.id,
    installVersion: install.version,
    appSlug: install.app_slug,
    stage: firstStageOf(install.app_slug),
    method: call.method,
    path: storable(call.path),
    query: storedPairs(call.query, (name) => !SECRET_PARAMETERS.has(name.toLowerCase())),
    headers: storedHeaders(app, install, call.headers),
    body: call.body,
    delivery,
    receivedAt: now,
    expiresAt: new Date(now.getTime() + receiptLifetimeMs),
  };
}

function storedHeaders(app: App, install: Install, headers: Readonly<Record<string, string>>): Record<string, string> {
  const chosen = install.settings.webhook_header?.toLowerCase();
  const secret = new Set([...(app.inbound?.secretHeaders ?? []), ...(chosen === undefined ? [] : [chosen])]);
  return storedPairs(headers, (name) => !NEVER_STORED.has(name) && !secret.has(name));
}

function storedPairs(
  pairs: Readonly<Record<string, string>>,
  isStored: (name: string) => boolean,
): Record<string, string> {
  const chosen: Record<string, string> = Object.create(null);
  let left = MAX_HEADERS;
  for (const name of Object.keys(pairs)) {
    if (!isStored(name)) continue;
    if (left === 0) break;
    left -= 1;
    chosen[storable(name)] = storable(pairs[name] ?? '');
  }
  return chosen;
}

/** PostgreSQL text cannot hold NUL, UTF-8 no lone surrogate. */
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
    app.inbound?.authentication === 'token' ? `X-Ingest-Token, or ?token=${signed}` : "the vendor's signature";
  return new Problem(401, 'Invalid signature', { app_slug: app.slug, needs });
}
