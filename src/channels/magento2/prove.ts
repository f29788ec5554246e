import { type InboundCall, isSameSecret } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

export function prove(call: InboundCall, { ingestToken }: ProofContext): boolean {
  return isSameSecret(call.headers['x-ingest-token'] ?? call.query.token, ingestToken);
}
