import { type InboundCall, isSameSecret, parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import type { SignatureContext } from './app.ts';

/** For vendors without a proof of their own: the token we gave out with the address, in a header or in the address itself. */
export function hasIngestToken(call: InboundCall, { ingestToken }: SignatureContext): boolean {
  return isSameSecret(call.headers['x-ingest-token'] ?? call.query.token, ingestToken);
}

/** The id that stands at this place of the body; nothing where there is none, whatever else the body is. */
export function findIdInBody(call: InboundCall, ...steps: (string | number)[]): string | undefined {
  try {
    return readerOf(parseExactJson(call.body))
      .at(...steps)
      .findId();
  } catch {
    return undefined;
  }
}
