import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import { judgeFormNames } from '../../../platform/http/unknown-names.ts';
import { formParts } from '../../files/index.ts';

/**
 * The bytes of the file, from the form field `file` or from the body itself. Other parts of a form are skipped and named in
 * the response. The rest of an unread request is drained, so that the client receives the response.
 */
export async function* fileOf(request: FastifyRequest): AsyncGenerator<Buffer> {
  if (request.isMultipart()) yield* fileOfForm(request);
  else if (isReadable(request.body)) yield* wholeBody(request.body);
  else throw unprocessable({ file: 'is required' });
}

async function* fileOfForm(request: FastifyRequest): AsyncGenerator<Buffer> {
  const unknown = new Set<string>();
  let files = 0;
  for await (const part of formParts(request)) {
    if (part.fieldname !== 'file') {
      if (part.type === 'file') part.file.resume();
      unknown.add(part.fieldname);
      continue;
    }
    files += 1;
    if (files > 1) throw unprocessable({ file: 'only one file is allowed' });
    if (part.type === 'file') {
      yield* bytesOf(part.file);
      part.file.resume();
    } else if (part.valueTruncated) throw unprocessable({ file: 'must be sent as a file' });
    // Short ones may come as a plain field.
    else yield Buffer.from(String(part.value));
  }
  judgeFormNames(request, { known: ['file'], unknown: [...unknown], hasKnown: files > 0 });
  if (files === 0) throw unprocessable({ file: 'is required' });
}

async function* wholeBody(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* bytesOf(body);
  } finally {
    body.resume();
  }
}

/** Not destroyed when its reader stops early: that would close the connection before the response. */
async function* bytesOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw badRequest('The request body was cut off', 'Malformed request').because(error);
  }
}

function isReadable(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body;
}
