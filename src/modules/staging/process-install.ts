import type { Channel, ChannelLine, Reading } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { storableJson } from '../../platform/inbound/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { findInstalls, type Install, noteFaring } from '../apps/index.ts';
import { findBranchLabels } from '../branches/index.ts';
import { type OrganizationDefaults, readOrganizationDefaults } from '../identity/index.ts';
import {
  NOWHERE,
  type Ordering,
  type OrderPlace,
  storeNameOf,
  type Telling,
  type Told,
  tellOrders,
} from '../orders/index.ts';
import { matchSkus, type WantedSku } from '../skus/index.ts';
import { faultOf, type PayloadFault, readPayload } from './read-payload.ts';
import { dropPendingOf } from './sql/log.ts';
import { type QueuedPayload, type Settlement, settle, takeDue, tryLockInstall } from './sql/queue.ts';
import { AMOUNTS_DIFFER, changeTelling, orderTelling } from './tell-order.ts';

const ROWS_AT_ONCE = 64;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** A fetch has ten seconds and may wait for its turn; if its process dies, the notice is looked at again after this. */
const FETCH_LEASE_MS = 60_000;

export type Fetch = { row: QueuedPayload; install: Install; orderId: string; event: string };

export type Processed = {
  /** Notices whose orders are to be asked for, now that this is committed. */
  fetches: Fetch[];
  /** There may be more of this install to do at once. */
  more: boolean;
  settled: number;
};

export type ProcessTools = {
  sql: Sql;
  box: SecretBox;
  ordering: Ordering;
  retryDelaysSeconds: readonly number[];
  /** Payments and whatever else is no order has a reader of its own. */
  rowsAtOnce?: number;
};

const NOTHING: Processed = { fetches: [], more: false, settled: 0 };

type Read = { row: QueuedPayload; reading: Reading } | { row: QueuedPayload; fault: PayloadFault };

/**
 * Reads what is due of one install and makes orders of it, in one transaction with what becomes of the payloads: a process
 * that dies leaves all of it or nothing. Whoever holds the install's lock is alone with it.
 */
export function processInstall(tools: ProcessTools, installId: string): Promise<Processed> {
  return inTransaction(tools.sql, async (tx) => {
    if (!(await tryLockInstall(tx, installId))) return NOTHING;
    const now = tools.ordering.clock.now();
    const limits = { now, rows: tools.rowsAtOnce ?? ROWS_AT_ONCE, bytes: BYTES_AT_ONCE };
    const rows = await takeDue(tx, installId, limits);
    const [first] = rows;
    if (first === undefined) return NOTHING;
    const [install] = await findInstalls(tx, tools.box, [installId]);
    // A call that was being stored while its install was removed.
    if (install === undefined) await dropPendingOf(tx, first.organization_id, installId);
    const channel = install && findChannel(install.app_slug);
    if (install === undefined || channel === undefined) return NOTHING;
    const defaults = await readOrganizationDefaults(tx, install.organization_id);
    const read = rows.map((row) => tryToRead(channel, install, defaults, row));
    const settlements = await carryOut(tx, tools, install, defaults, read, now);
    // The install before its queue, as whoever removes it locks them.
    await noteOutcomes(tx, install, settlements, now);
    await settle(tx, settlements, now);
    return {
      fetches: read.flatMap((one) =>
        'reading' in one && one.reading.kind === 'fetch'
          ? [{ row: one.row, install, orderId: one.reading.orderId, event: one.reading.event }]
          : [],
      ),
      more: rows.length > 0,
      settled: settlements.length,
    };
  });
}

/** The first that is due is put off as if it had failed: what cannot even be written must not hold up what is behind it. */
export function setFirstAside(tools: ProcessTools, installId: string): Promise<Processed> {
  return inTransaction(tools.sql, async (tx) => {
    if (!(await tryLockInstall(tx, installId))) return NOTHING;
    const now = tools.ordering.clock.now();
    const rows = await takeDue(tx, installId, { now, rows: 1, bytes: BYTES_AT_ONCE });
    const fault = faultOf(undefined);
    const settlements = rows.map((row) => failed(tools, row, {}, fault, now));
    const [install] = await findInstalls(tx, tools.box, [installId]);
    if (install !== undefined) await noteOutcomes(tx, install, settlements, now);
    await settle(tx, settlements, now);
    return { ...NOTHING, settled: settlements.length };
  });
}

function tryToRead(channel: Channel, install: Install, defaults: OrganizationDefaults, row: QueuedPayload): Read {
  const { settings } = install;
  try {
    const context = {
      settings,
      timeZone: settings.time_zone ?? defaults.timeZone,
      currency: defaults.currency,
      receivedAt: row.received_at,
    };
    return { row, reading: readPayload(channel, row, context) };
  } catch (error) {
    return { row, fault: faultOf(error) };
  }
}

async function carryOut(
  tx: Tx,
  tools: ProcessTools,
  install: Install,
  defaults: OrganizationDefaults,
  read: readonly Read[],
  now: Date,
): Promise<Settlement[]> {
  const surroundings = await readSurroundings(tx, install, read);
  const settlements: Settlement[] = [];
  const telling: { row: QueuedPayload; reading: Reading; telling: Telling; differs: boolean }[] = [];
  for (const one of read) {
    if ('fault' in one) {
      settlements.push(failed(tools, one.row, {}, one.fault, now));
      continue;
    }
    const { row, reading } = one;
    try {
      if (reading.kind === 'ignored') settlements.push(over(row, reading, 'ignored'));
      else if (reading.kind === 'fetch') settlements.push(waitsForFetch(row, reading, now));
      else if (reading.kind === 'change') {
        telling.push({ row, reading, telling: changeTelling(reading, row.received_at), differs: false });
      } else {
        const raw = storableJson(row.fetched ?? row.payload);
        const around = {
          ...surroundings,
          installId: install.id,
          currency: defaults.currency,
          receivedAt: row.received_at,
          raw,
        };
        telling.push({ row, reading, ...orderTelling(reading, around) });
      }
    } catch (error) {
      settlements.push(failed(tools, row, reading, faultOf(error), now));
    }
  }
  const channel = {
    organization_app_id: install.id,
    app_slug: install.app_slug,
    channel_family: install.family,
    channel_kind: install.kind,
  };
  const owner = { organizationId: install.organization_id, channel };
  const told = await tellOrders(
    tx,
    tools.ordering,
    owner,
    telling.map((one) => one.telling),
  );
  for (const [index, { row, reading, differs }] of telling.entries()) {
    settlements.push(settlementOf(tools, row, reading, told[index], differs, now));
  }
  // As they came: how an install fares is told by its last ones.
  const placeOf = new Map(read.map(({ row }, place) => [row.id, place]));
  return settlements.sort((one, other) => (placeOf.get(one.row.id) ?? 0) - (placeOf.get(other.row.id) ?? 0));
}

function settlementOf(
  tools: ProcessTools,
  row: QueuedPayload,
  reading: Reading,
  told: Told | undefined,
  differs: boolean,
  now: Date,
): Settlement {
  switch (told?.outcome) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return { ...over(row, reading, told.outcome), orderId: told.orderId, error: differs ? AMOUNTS_DIFFER : null };
    case 'too-large':
      return failed(
        tools,
        row,
        reading,
        { code: 'too_large', message: 'The order is larger than an order may be', path: '', isTransient: false },
        now,
      );
    case 'unknown':
      return failed(
        tools,
        row,
        reading,
        {
          code: 'order_unknown',
          message: 'The order that this is about has not come yet',
          path: '',
          isTransient: true,
        },
        now,
      );
    default:
      return failed(
        tools,
        row,
        reading,
        { code: 'contended', message: 'The order is being written by somebody else', path: '', isTransient: true },
        now,
      );
  }
}

const about = (reading: Partial<Reading>) => ({
  event: reading.event?.slice(0, 200) ?? null,
  externalOrderId: orderIdOf(reading) ?? null,
});

function orderIdOf(reading: Partial<Reading>): string | undefined {
  if ('order' in reading) return reading.order?.id;
  return 'orderId' in reading ? reading.orderId : undefined;
}

function over(row: QueuedPayload, reading: Reading, outcome: Settlement['outcome']): Settlement {
  return {
    row,
    ...about(reading),
    status: 'processed',
    outcome,
    error: null,
    orderId: null,
    attempts: row.queue_attempts + 1,
    dueAt: null,
  };
}

function waitsForFetch(row: QueuedPayload, reading: Reading, now: Date): Settlement {
  return {
    ...over(row, reading, ''),
    status: 'pending',
    attempts: row.queue_attempts,
    dueAt: new Date(now.getTime() + FETCH_LEASE_MS),
  };
}

/** What may pass by itself is tried again; what cannot be read, and what has been tried often enough, waits for a person. */
export function failed(
  { retryDelaysSeconds }: Pick<ProcessTools, 'retryDelaysSeconds'>,
  row: QueuedPayload,
  reading: Partial<Reading>,
  { isTransient, ...error }: PayloadFault,
  now: Date,
): Settlement {
  const attempts = row.queue_attempts + 1;
  const delaySeconds = isTransient ? retryDelaysSeconds[attempts - 1] : undefined;
  const dueAt = delaySeconds === undefined ? null : new Date(now.getTime() + delaySeconds * 1000);
  return {
    row,
    ...about(reading),
    status: dueAt === null ? 'failed' : 'pending',
    outcome: '',
    error,
    orderId: null,
    attempts,
    dueAt,
  };
}

/** Everything the orders of a batch need to know of branches and articles, by two statements. */
async function readSurroundings(tx: Tx, install: Install, read: readonly Read[]) {
  const { organization_id: organizationId, settings } = install;
  const orders = read.flatMap((one) => ('reading' in one && one.reading.kind === 'order' ? [one.reading.order] : []));
  const ivIdOf = (storeId: string | undefined) =>
    (storeId !== undefined && settings.branches && Object.hasOwn(settings.branches, storeId)
      ? settings.branches[storeId]
      : undefined) ?? settings.branch_iv_id;
  const ivIds = new Set(orders.map((order) => ivIdOf(order.storeId)).filter((ivId) => ivId !== undefined));
  const branches =
    ivIds.size === 0
      ? []
      : await findBranchLabels(
          tx,
          [...ivIds].map((name) => ({ organizationId, name })),
        );
  const places = new Map(branches.map((row) => [row.named, { destinationId: row.id, storeName: storeNameOf(row) }]));
  const placeOf = (storeId: string | undefined): OrderPlace => places.get(ivIdOf(storeId) ?? '') ?? NOWHERE;

  const wanted = new Map<string, WantedSku>();
  const keyOf = ({ code, branchId }: WantedSku) => `${branchId} ${code}`;
  for (const order of orders) {
    const branchId = placeOf(order.storeId).destinationId;
    for (const line of order.lines)
      for (const code of codesOf(line)) wanted.set(keyOf({ code, branchId }), { code, branchId });
  }
  const matches = wanted.size === 0 ? [] : await matchSkus(tx, organizationId, [...wanted.values()]);
  const matchByKey = new Map(matches.map((match) => [keyOf(match), match]));
  const matchOf = (line: ChannelLine, { destinationId: branchId }: OrderPlace) =>
    codesOf(line)
      .map((code) => matchByKey.get(keyOf({ code, branchId })))
      .find((match) => match !== undefined);
  return { placeOf, matchOf };
}

function codesOf({ sku, barcode }: ChannelLine): string[] {
  return [sku, barcode].filter((code) => code !== undefined);
}

async function noteOutcomes(tx: Tx, install: Install, settlements: readonly Settlement[], now: Date): Promise<void> {
  const ended = settlements.filter(({ dueAt }) => dueAt === null);
  if (ended.length === 0) return;
  const lastSuccess = settlements.findLastIndex(({ status }) => status === 'processed');
  const failedSince = settlements.slice(lastSuccess + 1).filter(({ status }) => status === 'failed').length;
  await noteFaring(
    tx,
    [{ organizationId: install.organization_id, id: install.id, failed: failedSince, hasSucceeded: lastSuccess >= 0 }],
    now,
  );
}
