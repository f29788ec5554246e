import type { VendorClient } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import { createSteadyLoop, type SteadyLoop, type WakeUp } from '../../platform/background/index.ts';
import { classifyDatabaseError, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Install, noteFaring } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';
import { type PayloadReader, processOthers } from './other-payloads.ts';
import { type Fetch, failed, type ProcessTools, processInstall, setFirstAside } from './process-install.ts';
import { faultOf } from './read-payload.ts';
import { type DueInstall, findDueInstalls, keepFetched, settle } from './sql/queue.ts';

/** Installs looked up at once, and read at the same time. Two transactions keep two cores busy. */
const INSTALLS_AT_ONCE = 32;
const READERS = 2;
const POLL_MS = 500;
const MAX_FETCHES = 64;
/** Any id is after this one. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export type StagingEngine = SteadyLoop & { inFlight(): number };

export type EngineTools = {
  ordering: Ordering;
  retryDelaysSeconds: readonly number[];
  clientFor(install: Install): VendorClient;
  queue: WakeUp;
  /** For apps whose payloads are no orders. */
  readers: readonly PayloadReader[];
};

/**
 * Makes orders of what was received. Installs take turns: each has one batch read before any has its second, so that a burst
 * of one delays the others by no more than a batch. Notices are asked about with no transaction open.
 */
export function createStagingEngine(platform: Platform, tools: EngineTools): StagingEngine {
  const { sql, box, log, clock } = platform;
  const { ordering, clientFor, retryDelaysSeconds, queue, readers } = tools;
  const processing: ProcessTools = { sql, box, ordering, retryDelaysSeconds };
  const fetching = new Set<Promise<void>>();
  let after = BEFORE_ALL;

  async function step(): Promise<boolean> {
    const now = clock.now();
    let due = await findDueInstalls(sql, { after, now, limit: INSTALLS_AT_ONCE });
    if (due.length === 0 && after !== BEFORE_ALL)
      due = await findDueInstalls(sql, { after: BEFORE_ALL, now, limit: INSTALLS_AT_ONCE });
    after = due.length < INSTALLS_AT_ONCE ? BEFORE_ALL : (due.at(-1)?.id ?? BEFORE_ALL);
    const waiting = due.values();
    const settled = await Promise.all(Array.from({ length: READERS }, () => readInTurn(waiting)));
    return settled.some((count) => count > 0);
  }

  async function readInTurn(waiting: Iterable<DueInstall>): Promise<number> {
    let settled = 0;
    for (const install of waiting) settled += await processOne(install);
    return settled;
  }

  async function processOne({ id: installId, app_slug }: DueInstall): Promise<number> {
    const reader = readers.find((one) => one.handles(app_slug));
    if (reader !== undefined) return (await processOthers({ ...processing, clientFor }, reader, installId)).settled;
    const processed = await processInstall(processing, installId).catch((error: unknown) => {
      if (['unavailable', 'retry'].includes(classifyDatabaseError(error).kind)) throw error;
      log.error({ err: error, installId }, 'a batch of payloads could not be processed; trying one by one');
      return processInstall({ ...processing, rowsAtOnce: 1 }, installId).catch((cause: unknown) => {
        log.error({ err: cause, installId }, 'a payload could not be processed');
        return setFirstAside(processing, installId);
      });
    });
    if (processed.settled > 0) ordering.outbox.ring();
    for (const fetch of processed.fetches) start(fetch);
    return processed.settled;
  }

  function start(fetch: Fetch): void {
    // What finds no room is looked at again when its lease ends.
    if (fetching.size >= MAX_FETCHES) return;
    const running = fetchOrder(fetch)
      .catch((error: unknown) => log.warn({ err: error, installId: fetch.install.id }, 'an order could not be fetched'))
      .finally(() => fetching.delete(running));
    fetching.add(running);
  }

  async function fetchOrder({ row, install, orderId, event }: Fetch): Promise<void> {
    const channel = findChannel(install.app_slug);
    try {
      const fetched = await channel?.fetchOrder?.(orderId, clientFor(install), install.settings);
      const text = JSON.stringify(fetched ?? null);
      await keepFetched(sql, row, Buffer.from(text), clock.now());
    } catch (error) {
      const now = clock.now();
      const settlement = failed({ retryDelaysSeconds }, row, { event, orderId, kind: 'fetch' }, faultOf(error), now);
      await inTransaction(sql, async (tx) => {
        const faring = { organizationId: install.organization_id, id: install.id, failed: 1, hasSucceeded: false };
        if (settlement.dueAt === null) await noteFaring(tx, [faring], now);
        await settle(tx, [settlement], now);
      });
    }
    queue.ring();
  }

  const loop = createSteadyLoop({ name: 'staging', log, everyMs: POLL_MS, step });
  let stopListening: (() => void) | undefined;
  return {
    wake: loop.wake,
    inFlight: () => fetching.size,
    start() {
      stopListening = queue.onRing(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
      await Promise.allSettled(fetching);
    },
  };
}
