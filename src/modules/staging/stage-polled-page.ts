import { createHash } from 'node:crypto';
import type { Page } from '../../channels/contract.ts';
import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { type Install, lockPollCursor, moveCursor } from '../apps/index.ts';
import { firstStageOf } from './first-stage.ts';
import { POLLED_PATH } from './read-payload.ts';
import { insertReceived, type Received } from './sql/receive.ts';

const RECEIPT_LIFETIME_MS = 30 * 86_400_000;

/**
 * Stages the orders of a page and moves the cursor in one transaction. Returns false, and stores nothing, when the install has changed
 * since it was polled.
 */
export function stagePolledPage(
  sql: Sql,
  install: Install,
  cursor: string | undefined,
  page: Pick<Page, 'orders' | 'cursor'>,
  now: Date,
): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    if (!(await lockPollCursor(tx, install, cursor ?? null))) return false;
    const received = receivedOf(install, page.orders, now);
    const stagingIds = received.length === 0 ? [] : await insertReceived(tx, received);
    if (stagingIds.includes(undefined)) throw new Error('a polled order was not stored');
    await moveCursor(tx, install, page.cursor);
    return true;
  });
}

function receivedOf(install: Install, orders: readonly unknown[], now: Date): Received[] {
  const distinct = new Map<string, Buffer>();
  for (const order of orders) {
    const body = Buffer.from(JSON.stringify(order));
    distinct.set(createHash('sha256').update('poll\n').update(body).digest('hex'), body);
  }
  return [...distinct].map(([delivery, body]) => ({
    id: newId(),
    organizationId: install.organization_id,
    installId: install.id,
    installVersion: install.version,
    appSlug: install.app_slug,
    stage: firstStageOf(install.app_slug),
    method: 'GET',
    path: POLLED_PATH,
    query: {},
    headers: {},
    body,
    delivery: Buffer.from(delivery, 'hex'),
    receivedAt: now,
    expiresAt: new Date(now.getTime() + RECEIPT_LIFETIME_MS),
  }));
}
