import type { IncomingMessage } from 'node:http';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../platform/http/problem.ts';

export const MAX_PARTS = 200;
const STALL_CHECK_MS = 2_000;

/**
 * The parts of a form in their order. Whatever the parser cannot read is a 400. When it is over, for whatever reason,
 * the rest of the body is let through unread, so that a client that is still sending gets to see the answer.
 */
export async function* formParts(request: FastifyRequest): AsyncGenerator<Multipart> {
  const parts = request.parts();
  try {
    for (;;) {
      const next = await nextUnlessStalled(parts, request.raw);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    request.raw.unpipe();
    request.raw.resume();
  }
}

/**
 * The parser waits forever on a part whose headers never end (found by random damage, a few in a thousand forms). It is
 * stuck when bytes are waiting, or the body has ended, and nothing moves; a slow client leaves no bytes waiting.
 */
async function nextUnlessStalled(
  parts: AsyncIterator<Multipart>,
  body: IncomingMessage,
): Promise<IteratorResult<Multipart>> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let bytesBefore = body.socket.bytesRead;
    timer = setInterval(() => {
      const hasMoved = body.socket.bytesRead !== bytesBefore;
      bytesBefore = body.socket.bytesRead;
      if (!hasMoved && (body.readableEnded || body.readableLength > 0)) reject(new Error('the parser is stuck'));
    }, STALL_CHECK_MS);
  });
  try {
    return await Promise.race([parts.next(), stalled]);
  } finally {
    clearInterval(timer);
  }
}

export function unreadable(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_PARTS_LIMIT':
      return badRequest(`The form has more than ${MAX_PARTS} parts`, 'Malformed form');
    case 'FST_PROTO_VIOLATION':
      return badRequest('The form has a field with a reserved name', 'Malformed form');
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return badRequest('A field of the form is not the JSON that its content type promises', 'Malformed form');
    default:
      return badRequest('The form is cut off or is not valid multipart/form-data', 'Malformed form');
  }
}
