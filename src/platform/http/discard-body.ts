import type { IncomingMessage } from 'node:http';

/**
 * Reads the rest of a refused request body and drops it, so that a client that sends everything before it reads finds its
 * answer. Each chunk is freed as soon as it arrives: left to the garbage collector, which acts only after some 64 MB of
 * buffers, 30 refused bodies of 31 MB raised the process from 177 to 268 MB. Does nothing where another reader is attached.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.listenerCount('data') > 0 || request.listenerCount('readable') > 0) return;
  request.on('error', () => undefined).on('data', freeChunk);
}

/** Detaching an ArrayBuffer returns its memory at once. A slice of a shared pool must not be detached: others use the rest. */
export function freeChunk(chunk: Buffer): void {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.byteLength) buffer.transfer(0);
}
