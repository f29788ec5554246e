import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Hostility, startHostileVendor } from '../../test/vendors/hostile.ts';

/**
 * The process of a tenant whose vendors are at their worst: it plays the vendor, and sends notices of new orders that the service
 * has to fetch from it, at a steady pace.
 */
export type HostileSetup = { certificate: { key: string; cert: string }; port: number };
export type HostileNoise = { baseUrl: string; hostility: Hostility; installs: { id: string; token: string }[] };
export type HostileOrder = HostileSetup | HostileNoise | 'quiet';
export type HostileReport = { sent: Record<string, number> };

const NOTICES_PER_SECOND = 100;
const agent = new Agent({ connections: 32 });
let isLoud = false;
let sent: Record<string, number> = {};
let current: Promise<void> = Promise.resolve();
let number = 0;

async function sendNotices({ baseUrl, installs }: HostileNoise): Promise<void> {
  const startMs = performance.now();
  for (let count = 1; isLoud; count += 1) {
    const install = installs[count % installs.length];
    if (install !== undefined) void sendNotice(baseUrl, install);
    await delay(Math.max(0, startMs + (count * 1000) / NOTICES_PER_SECOND - performance.now()));
  }
}

async function sendNotice(baseUrl: string, { id, token }: { id: string; token: string }): Promise<void> {
  number += 1;
  const notice = {
    NotificationType: 'ORDER_CHANGE',
    NotificationMetadata: { NotificationId: `${process.pid}-${number}` },
    Payload: { OrderChangeNotification: { AmazonOrderId: `902-${number}` } },
  };
  const answer = await request(`${baseUrl}/api/v1/ingest/${id}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'x-ingest-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(notice),
  }).catch(() => undefined);
  await answer?.body.dump();
  const status = String(answer?.statusCode ?? 'cut');
  sent[status] = (sent[status] ?? 0) + 1;
}

process.on('message', async (order: HostileOrder) => {
  if (order === 'quiet') {
    isLoud = false;
    await current;
    process.send?.({ sent } satisfies HostileReport);
    sent = {};
  } else if ('certificate' in order) await startHostileVendor(order.certificate, order.port);
  else {
    isLoud = true;
    current = sendNotices(order);
  }
});
process.channel?.ref();
process.send?.({ ready: true });
