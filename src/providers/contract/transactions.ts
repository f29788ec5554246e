import type {
  App,
  AppSettings,
  Credentials,
  PaymentStatus,
  ReadContext,
  StagedCall,
  VendorClient,
} from '../../channels/contract.ts';
import type { Decimal } from '../../platform/money.ts';

/** A transaction of a gateway. Amounts are in major units. */
export type GatewayTransaction = {
  providerReference: string;
  /** The merchant's reference: an order's id, code or number. */
  merchantReference: string | undefined;
  /** The payment of a refund, capture or void, for gateways with separate transactions for those. */
  parentReference?: string | undefined;
  amount: Decimal;
  currency: string;
  /** `refunded` only if all of `amount` is; a separate refund transaction always is. */
  status: PaymentStatus;
  /** In the transaction's currency. */
  fee?: Decimal | undefined;
  refundedAmount?: Decimal | undefined;
  /** Default: the time of receipt. */
  occurredAt: Date | undefined;
};

/**
 * Which fields of a transaction the webhook signature covers. `all`: order reference, amount, currency and status; only then may it
 * change an order without a read-back. `reference`: at least the order reference.
 */
export type SignedFields = 'all' | 'reference' | 'none';

export type ParsedTransaction =
  | { kind: 'transaction'; event: string; transaction: GatewayTransaction; signed: SignedFields }
  | { kind: 'ignored'; event: string };

export type GatewayProvider = {
  type: 'gateway_sync';
  id: string;
  nameEn: string;
  nameAr: string;
  app: App;
  credentials(settings: AppSettings): Credentials;
  /** Throws Unreadable. */
  readTransaction(call: StagedCall, context: ReadContext): ParsedTransaction;
  /**
   * The transaction from the gateway's API. Rejects only with VendorRefused, VendorUnavailable or MissingCredentials. The parent is
   * the webhook's reference of a refund's payment, for gateways with separate refunds.
   */
  readBack(
    providerReference: string,
    client: VendorClient,
    settings: AppSettings,
    parentReference?: string,
  ): Promise<GatewayTransaction>;
};

/** Transitions of one reference: a late report of a failed attempt does not undo the successful one. */
const NEXT: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['paid', 'refunded', 'failed', 'cancelled'],
  failed: ['pending', 'paid', 'refunded', 'cancelled'],
  cancelled: ['paid', 'refunded'],
  // A payment can be voided before it is settled.
  paid: ['refunded', 'cancelled'],
  refunded: [],
};

export function transactionMayBecome(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}
