import net from 'node:net';
import { openRequests } from './encode-request.ts';
import { createLatencies } from './latencies.ts';
import { DEFAULT_CONNECTIONS, type LoadPlan, type Sample } from './plan.ts';
import { createResponseReader } from './response-reader.ts';

const RECEIVE_BYTES = 64 * 1024;
const LAST_ANSWERS_WITHIN_MS = 20_000;
const FAILURE_EXCERPT = 400;

type Connection = { socket: net.Socket; sentAtMs: number };

/** Keeps `connections` sockets busy, one request in flight on each, for `seconds`; then waits for the last answers. */
export async function generateLoad(plan: LoadPlan, seconds: number): Promise<Sample> {
  const nextRequest = await openRequests(plan);
  const { hostname, port } = new URL(plan.baseUrl);
  const expected = new Set(plan.expect ?? [200]);
  const latencies = createLatencies();
  const statuses: Record<string, number> = {};
  let counted = 0;
  let failed = 0;
  let firstFailure: string | undefined;
  let arrivals = 0;
  let startMs = 0;
  let endMs = 0;
  let lastAnswerMs = 0;
  let open = 0;
  const finished = Promise.withResolvers<void>();

  function fail(kind: string, excerpt: string): void {
    statuses[kind] = (statuses[kind] ?? 0) + 1;
    failed += 1;
    firstFailure ??= excerpt.slice(0, FAILURE_EXCERPT);
  }

  function leave(connection: Connection): void {
    connection.socket.destroy();
    open -= 1;
    if (open === 0) finished.resolve();
  }

  function send(connection: Connection, dueMs: number): void {
    // A timer may fire up to a millisecond early.
    connection.sentAtMs = Math.min(dueMs, performance.now());
    connection.socket.write(nextRequest());
  }

  function sendNext(connection: Connection): void {
    const nowMs = performance.now();
    let dueMs = nowMs;
    if (plan.arrivalsPerSecond !== undefined) {
      dueMs = startMs + (arrivals * 1000) / plan.arrivalsPerSecond;
      arrivals += 1;
    }
    if (nowMs >= endMs || dueMs >= endMs) leave(connection);
    else if (dueMs <= nowMs) send(connection, dueMs);
    else setTimeout(send, dueMs - nowMs, connection, dueMs);
  }

  function connect(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let latest: Buffer = Buffer.alloc(0);
      const reader = createResponseReader((status) => {
        lastAnswerMs = performance.now();
        if (expected.has(status)) {
          counted += 1;
          latencies.record(lastAnswerMs - connection.sentAtMs);
          statuses[status] = (statuses[status] ?? 0) + 1;
        } else fail(String(status), `${status} ${latest.toString('utf8').split('\r\n\r\n')[1] ?? ''}`);
        sendNext(connection);
      });
      const socket = net.connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        // One buffer a socket, no stream in between: 50 instead of 60 µs of CPU a request.
        onread: {
          buffer: Buffer.allocUnsafe(RECEIVE_BYTES),
          callback: (length, buffer) => {
            latest = Buffer.from(buffer.buffer, buffer.byteOffset, length);
            try {
              reader.feed(latest);
            } catch (error) {
              socket.destroy(error as Error);
            }
            return true;
          },
        },
      });
      const connection: Connection = { socket, sentAtMs: 0 };
      socket.once('error', reject);
      socket.once('end', () => socket.destroy(new Error('The server closed the connection')));
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.once('error', (error) => {
          fail('error', String(error));
          replace();
        });
        resolve(connection);
      });
    });
  }

  /** As any client would: one broken connection must not lower the load for the rest of the run. */
  function replace(): void {
    if (performance.now() < endMs) {
      connect().then(sendNext, finished.reject);
      return;
    }
    open -= 1;
    if (open === 0) finished.resolve();
  }

  const connections = await Promise.all(Array.from({ length: plan.connections ?? DEFAULT_CONNECTIONS }, connect));
  open = connections.length;
  const cpuBefore = process.cpuUsage();
  startMs = performance.now();
  endMs = startMs + seconds * 1000;
  for (const connection of connections) sendNext(connection);
  const overdue = setTimeout(
    () => finished.reject(new Error(`${open} requests had no answer ${LAST_ANSWERS_WITHIN_MS} ms after the run`)),
    seconds * 1000 + LAST_ANSWERS_WITHIN_MS,
  );
  await finished.promise.finally(() => clearTimeout(overdue));

  const elapsedMs = Math.max(1, lastAnswerMs - startMs);
  const cpu = process.cpuUsage(cpuBefore);
  return {
    count: counted,
    perSecond: (counted * 1000) / elapsedMs,
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    failed,
    statuses,
    ...(firstFailure === undefined ? {} : { firstFailure }),
    generatorCpu: (cpu.user + cpu.system) / 1000 / elapsedMs,
  };
}
