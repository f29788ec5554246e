import {
  type GatewayProvider,
  type GatewayTransaction,
  MissingCredentials,
  type TransactionReading,
  type VendorClient,
} from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';

export type Verified = {
  transaction: GatewayTransaction;
  /** The setting that reading back takes and the install lacks; nothing where the transaction is verified. */
  missingSetting: string | undefined;
  isReadBack: boolean;
};

type Read = Extract<TransactionReading, { kind: 'transaction' }>;

/**
 * Reads a reported transaction back at its gateway. Without the credentials for that, a webhook counts only if its signature
 * covers all that an order moves by. Whatever else goes wrong with the call is a failure of the payload, never a reason to
 * believe it: which call fails, a sender can bring about.
 */
export async function verifyTransaction(
  provider: GatewayProvider,
  { settings }: Install,
  { transaction: told, signed }: Read,
  client: VendorClient,
): Promise<Verified> {
  try {
    const asked = await provider.readBack(told.providerReference, client, settings, told.parentReference);
    return { transaction: merged(asked, told, signed), missingSetting: undefined, isReadBack: true };
  } catch (error) {
    if (!(error instanceof MissingCredentials)) throw error;
    const missingSetting = signed === 'all' ? undefined : error.setting;
    return { transaction: told, missingSetting, isReadBack: false };
  }
}

/** Of the webhook, what its signature covers may fill in for what the gateway's answer lacks; and the fee, which moves nothing. */
function merged(asked: GatewayTransaction, told: GatewayTransaction, signed: Read['signed']): GatewayTransaction {
  return {
    ...asked,
    providerReference: referenceOf(asked, told),
    merchantReference: asked.merchantReference ?? (signed === 'none' ? undefined : told.merchantReference),
    parentReference: asked.parentReference ?? (signed === 'all' ? told.parentReference : undefined),
    fee: asked.fee ?? told.fee,
    occurredAt: asked.occurredAt ?? (signed === 'all' ? told.occurredAt : undefined),
  };
}

/**
 * The row is named as the webhook calls it: some gateways answer with the id of the whole payment. But in the gateway's own
 * spelling, or one refund under two spellings would count twice.
 */
function referenceOf(
  { providerReference: asked }: GatewayTransaction,
  { providerReference: told }: GatewayTransaction,
) {
  return asked.toLowerCase() === told.toLowerCase() ? asked : told;
}
