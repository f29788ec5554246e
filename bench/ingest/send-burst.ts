import { Pool } from 'undici';
import type { Burst, BurstReport } from './latency.ts';
import { nextOrderId, signedCall } from './payloads.ts';

/** The loud vendor's process: a burst begins by message; asked to be quiet, it says how it went once all of it is sent. */
const CONNECTIONS = 32;
let current: Promise<BurstReport> = Promise.resolve({ accepted: 0, refused: [] });

async function send({ baseUrl, install, count }: Burst): Promise<BurstReport> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const report: BurstReport = { accepted: 0, refused: [] };
  let sent = 0;
  async function caller(): Promise<void> {
    while (sent < count) {
      sent += 1;
      const { path, headers, body } = signedCall(install, nextOrderId());
      try {
        const answer = await pool.request({ method: 'POST', path, headers: headers ?? null, body });
        const text = await answer.body.text();
        if (answer.statusCode === 202) report.accepted += 1;
        else report.refused.push(`${answer.statusCode} ${text}`);
      } catch (error) {
        report.refused.push(String(error));
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  await pool.close();
  return report;
}

process.on('message', async (order: Burst | 'quiet') => {
  if (order === 'quiet') process.send?.(await current);
  // The leash asks for figures over the same channel.
  else if (typeof order === 'object') current = send(order);
});
// Nothing but the channel keeps it alive between two bursts.
process.channel?.ref();
process.send?.({ ready: true });
