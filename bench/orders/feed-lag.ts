import { createLatencies } from '../load/latencies.ts';
import type { Sample } from '../load/plan.ts';

/** Follows the stream and measures, for each event, the time from its writing to its arrival here. */
export async function measureFeedLag(baseUrl: string, token: string, pour: () => Promise<unknown>): Promise<Sample> {
  const stop = new AbortController();
  const response = await fetch(`${baseUrl}/api/v1/orders/changes/stream?cursor=now`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const latencies = createLatencies();
  const startMs = performance.now();
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      const arrivedMs = Date.now();
      text += Buffer.from(chunk).toString();
      const end = text.lastIndexOf('\n\n');
      if (end < 0) continue;
      for (const match of text.slice(0, end).matchAll(/"occurred_at":"([^"]+)"/g)) {
        latencies.record(Math.max(0.01, arrivedMs - Date.parse(match[1] ?? '')));
      }
      text = text.slice(end + 2);
    }
  })().catch(() => undefined);
  await pour();
  const seconds = (performance.now() - startMs) / 1000;
  stop.abort();
  await reading;
  const count = latencies.count();
  return {
    count,
    perSecond: count / seconds,
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    failed: 0,
  };
}
