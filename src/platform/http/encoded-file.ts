import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, type Encoding, WORTH_COMPRESSING_BYTES } from './accepted-encodings.ts';

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

/** The largest page asset (4.4 MB): 1.09 MB in 0.3 s of CPU, off the event loop and once. 9 takes 1.3 s for 4 % less, 11 takes 18 s. */
const BROTLI_QUALITY = 5;

type Encoded = { etag: string; hash: string; plain: Buffer; encodings: Partial<Record<Encoding, Buffer>> };
/** A file that does not change while the process runs; loaded at the first request. */
export type EncodedFile = { contentType: string; load(): Promise<Encoded> };

export function encodeFile(contentType: string, read: () => Promise<string | Buffer>): EncodedFile {
  return { contentType, load: loadOnce(async () => encode(await read())) };
}

/** A file that was compressed at build time: `read('.br')` returns it in brotli, `read('')` uncompressed. */
export function packedFile(
  contentType: string,
  read: (ending: '' | '.br' | '.gz') => Promise<Buffer>,
  packed: Record<Encoding, boolean>,
): EncodedFile {
  const load = async (): Promise<Encoded> => {
    const [plain, br, gz] = await Promise.all([read(''), packed.br && read('.br'), packed.gzip && read('.gz')]);
    const hash = hashOf(plain);
    return { etag: `"${hash}"`, hash, plain, encodings: { ...(br && { br }), ...(gz && { gzip: gz }) } };
  };
  return { contentType, load: loadOnce(load) };
}

/** After an error the next call tries again. */
function loadOnce(load: () => Promise<Encoded>): () => Promise<Encoded> {
  let loading: Promise<Encoded> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

function hashOf(plain: Buffer): string {
  return createHash('sha256').update(plain).digest('base64url').slice(0, 16);
}

async function encode(content: string | Buffer): Promise<Encoded> {
  const plain = Buffer.from(content);
  const hash = hashOf(plain);
  const encoded: Encoded = { etag: `"${hash}"`, hash, plain, encodings: {} };
  if (plain.length < WORTH_COMPRESSING_BYTES) return encoded;
  const [br, gz] = await Promise.all([
    inBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    inGzip(plain),
  ]);
  return { ...encoded, encodings: { br, gzip: gz } };
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: EncodedFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const { etag, plain, encodings } = await file.load();
  reply.headers({ 'cache-control': cacheControl, etag, vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.has(name) && encodings[name] !== undefined);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', file.contentType).send(encoding ? encodings[encoding] : plain);
}
