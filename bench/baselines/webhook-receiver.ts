import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { createLatencies } from '../load/latencies.ts';

/**
 * Receives webhooks over TLS. By path: `/fast` counts and answers at once, `/timed` measures from the event's
 * `occurred_at` first, `/slow` takes half a second, `/tarpit` never answers. What it has seen is asked for over plain
 * HTTP: POST starts the count again, GET with `?until=` answers once so many have come, so that callers need not poll
 * while the machine is being measured.
 */
export type ReceiverFigures = { count: number; timed: number; p50Ms: number; p99Ms: number; connections: number };

const SLOW_MS = 500;
let count = 0;
let connections = 0;
let latencies = createLatencies();
let awaited = { count: Number.POSITIVE_INFINITY, reached: () => {} };

const receiver = https.createServer({ key: process.env.TLS_KEY, cert: process.env.TLS_CERT }, (request, response) => {
  const arrivedMs = performance.timeOrigin + performance.now();
  const answer = () => response.writeHead(200, { 'content-length': 2 }).end('ok');
  if (request.url === '/timed') {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const occurredAt = /"occurred_at":"([^"]+)\.(\d{6})Z"/.exec(text);
      const occurredMs = Date.parse(`${occurredAt?.[1]}Z`) + Number(occurredAt?.[2]) / 1000;
      latencies.record(arrivedMs - occurredMs);
      answer();
    });
    return;
  }
  request.resume();
  if (request.url === '/fast') {
    request.on('end', answer);
    count += 1;
    if (count === awaited.count) awaited.reached();
  } else if (request.url === '/slow') setTimeout(answer, SLOW_MS);
});
receiver.on('secureConnection', () => {
  connections += 1;
});
receiver.keepAliveTimeout = 60_000;

const control = http.createServer(async (request, response) => {
  const until = Number(new URL(request.url ?? '', 'http://receiver').searchParams.get('until'));
  if (count < until) {
    await new Promise<void>((reached) => {
      awaited = { count: until, reached };
    });
  }
  const figures: ReceiverFigures = {
    count,
    timed: latencies.count(),
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    connections,
  };
  if (request.method === 'POST') {
    count = 0;
    connections = 0;
    latencies = createLatencies();
  }
  response.end(JSON.stringify(figures));
});

receiver.listen(Number(process.env.TLS_PORT ?? 0), '127.0.0.1', () => {
  control.listen(0, '127.0.0.1', () => {
    process.send?.({ baseUrl: `http://127.0.0.1:${(control.address() as AddressInfo).port}` });
  });
});
