import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { localDay } from '../../../platform/local-day.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createResponseLimiter } from '../response-limiter.ts';
import { sendPieces, whenAnswered } from './send-pieces.ts';

/** An export takes little memory, and no connection while its client does not read, but it may take long. */
const EXPORTS = { maxConcurrent: 64, maxConcurrentPerTenant: 4, maxQueuedPerTenant: 0, maxWaitMs: 0 };

type Recipient = { organizationId: string; timeZone: string };
/** `truncated` is left out by exports that have no limit of rows. */
type CsvExport = { csv: AsyncIterable<string>; truncated?: boolean };

/** Sends CSV files of one route. `make` is called once the organization has one of its four turns. */
export function createCsvExports({ clock, log }: Pick<Platform, 'clock' | 'log'>) {
  const limiter = createResponseLimiter(EXPORTS);

  async function send(
    reply: FastifyReply,
    { organizationId, timeZone }: Recipient,
    name: string,
    make: () => CsvExport | Promise<CsvExport>,
  ): Promise<FastifyReply> {
    whenAnswered(reply, await limiter.acquire(organizationId));
    const { csv, truncated } = await make();
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}-${localDay(clock.now(), timeZone)}.csv"`);
    if (truncated !== undefined) reply.header('x-truncated', String(truncated));
    return sendPieces(reply, csv, log);
  }

  return { send };
}

/** By content and not by `produces`, because errors are JSON as on every route. */
export function csvAnswer<Schema extends TSchema>(description: string, schema: Schema) {
  return {
    description,
    headers: {
      'X-Truncated': { type: 'string', enum: ['true', 'false'], description: 'Whether there are more' },
    },
    content: { 'text/csv': { schema } },
  };
}
