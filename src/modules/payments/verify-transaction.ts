import {
  type GatewayProvider,
  type GatewayTransaction,
  MissingCredentials,
  type ParsedTransaction,
  type VendorClient,
} from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';

export type Verified = {
  transaction: GatewayTransaction;
  /** The setting that reading back needs and the install lacks; undefined if the transaction is verified. */
  missingSetting: string | undefined;
  isReadBack: boolean;
};

type Read = Extract<ParsedTransaction, { kind: 'transaction' }>;

/**
 * Reads a reported transaction back at its gateway. Without credentials for that, a webhook counts only if its signature covers
 * every field that changes an order. Any other error of the call fails the payload: a sender can provoke such errors, so they
 * must not make its report trusted.
 */
export async function verifyTransaction(
  provider: GatewayProvider,
  { settings }: Install,
  { transaction: reported, signed }: Read,
  client: VendorClient,
): Promise<Verified> {
  try {
    const asked = await provider.readBack(reported.providerReference, client, settings, reported.parentReference);
    return { transaction: merged(asked, reported, signed), missingSetting: undefined, isReadBack: true };
  } catch (error) {
    if (!(error instanceof MissingCredentials)) throw error;
    const missingSetting = signed === 'all' ? undefined : error.setting;
    return { transaction: reported, missingSetting, isReadBack: false };
  }
}

/** Fields that the signature covers fill in what the gateway's response lacks; so does the fee, which changes no order. */
function merged(asked: GatewayTransaction, reported: GatewayTransaction, signed: Read['signed']): GatewayTransaction {
  return {
    ...asked,
    providerReference: referenceOf(asked, reported),
    merchantReference: asked.merchantReference ?? (signed === 'none' ? undefined : reported.merchantReference),
    parentReference: asked.parentReference ?? (signed === 'all' ? reported.parentReference : undefined),
    fee: asked.fee ?? reported.fee,
    occurredAt: asked.occurredAt ?? (signed === 'all' ? reported.occurredAt : undefined),
  };
}

/**
 * The reference of the webhook: some gateways respond with the id of the whole payment. In the gateway's own spelling, or one
 * refund under two spellings would count twice.
 */
function referenceOf(
  { providerReference: asked }: GatewayTransaction,
  { providerReference: reported }: GatewayTransaction,
) {
  return asked.toLowerCase() === reported.toLowerCase() ? asked : reported;
}
