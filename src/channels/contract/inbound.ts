import { type InboundCall, isSameSecret, parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import type { SignatureContext } from './app.ts';

/** For vendors that do not sign calls: the ingest token in a header or in the URL. */
export function hasIngestToken(call: InboundCall, { ingestToken }: SignatureContext): boolean {
  return isSameSecret(call.headers['x-ingest-token'] ?? call.query.token, ingestToken);
}

/** The id at this path of the body; undefined if there is none, also for a body that is not JSON. */
export function findIdInBody(call: InboundCall, ...steps: (string | number)[]): string | undefined {
  try {
    return readerOf(parseExactJson(call.body))
      .at(...steps)
      .findId();
  } catch {
    return undefined;
  }
}
