import { type InboundCall, isSameSecret } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

/** The vendor publishes no proof of its own. */
export function prove({ headers, query }: InboundCall, { ingestToken }: ProofContext): boolean {
  return isSameSecret(headers['x-ingest-token'], ingestToken) || isSameSecret(query.token, ingestToken);
}
