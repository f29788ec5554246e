import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export const MANY_STREAMS = '1,500 streams and a writer';

/** By then all of them have been answered once; opening 1,500 connections takes a second or more. */
export const STREAMS_SETTLED_MS = 3_000;

const STREAMS = 1_500;
/** What the service asks for in `Retry-After` when an organization has all its streams. */
const RETRY_AFTER_MS = 5_000;

type ManyStreams = {
  baseUrl: string;
  token: string;
  isLoud(): boolean;
  note(what: string): void;
  /** One order, and with it one event for every open stream. */
  writeOrder(): Promise<void>;
};

/**
 * One caller opens 1,500 streams and reads along on those it gets, while one writer of the same organization sends orders as
 * fast as they are answered. Refused streams are asked for again after once to twice the time that the refusal names.
 */
export async function readManyStreams({ baseUrl, token, isLoud, note, writeOrder }: ManyStreams): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const sockets = new Set<net.Socket>();
  const request = `GET /api/v1/orders/changes/stream?cursor=now HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;

  function open(): void {
    if (!isLoud()) return;
    const socket = net.connect({ host: hostname, port: Number(port) });
    sockets.add(socket);
    socket.write(request);
    socket.once('data', (head) => {
      const status = head.toString('latin1', 9, 12);
      note(`stream ${status}`);
      if (status !== '200') setTimeout(() => socket.destroy(), RETRY_AFTER_MS * (1 + Math.random()));
    });
    socket.on('data', (bytes) => note(bytes.includes('event: ') ? 'stream events' : 'stream bytes'));
    socket.on('error', () => note('stream cut'));
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(open, 100);
    });
  }

  for (let opened = 0; opened < STREAMS; opened += 1) open();
  while (isLoud()) {
    await writeOrder();
    // The streams are read by this process too.
    await delay(0);
  }
  for (const socket of sockets) socket.destroy();
}
