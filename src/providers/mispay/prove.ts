import { type InboundCall, isSameSecret } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

/** MISPay proves nothing; the address it was given does. */
export function prove(call: InboundCall, { ingestToken }: ProofContext): boolean {
  return isSameSecret(call.headers['x-ingest-token'], ingestToken) || isSameSecret(call.query.token, ingestToken);
}
