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

/** Money that moved, or was to move, at a gateway. Amounts in major units. */
export type GatewayTransaction = {
  providerReference: string;
  /** What the shop called it: an order's id, code or number. */
  merchantReference: string | undefined;
  /** The payment that a refund, a capture or a void belongs to, where the gateway keeps those as transactions of their own. */
  parentReference?: string | undefined;
  amount: Decimal;
  currency: string;
  /** `refunded` only where all of `amount` is: a transaction of its own for a refund is all refund. */
  status: PaymentStatus;
  /** In the transaction's currency. */
  fee?: Decimal | undefined;
  refundedAmount?: Decimal | undefined;
  /** Nothing: when it was received. */
  occurredAt: Date | undefined;
};

/**
 * How much of a transaction the signature of its webhook covers. `all` is the order reference, the amount, the currency and the
 * status: only then may it move an order without being read back. `reference`: the order reference at least.
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
  /** Unreadable is thrown. */
  readTransaction(call: StagedCall, context: ReadContext): ParsedTransaction;
  /**
   * The same from the gateway's own interface. Rejects with VendorRefused, VendorUnavailable or MissingCredentials alone. The
   * parent is what the webhook called the payment of a refund, for gateways that keep refunds apart.
   */
  readBack(
    providerReference: string,
    client: VendorClient,
    settings: AppSettings,
    parentReference?: string,
  ): Promise<GatewayTransaction>;
};

/** Of one reference: a failed attempt that is told of late does not undo the one that succeeded. */
const NEXT: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['paid', 'refunded', 'failed', 'cancelled'],
  failed: ['pending', 'paid', 'refunded', 'cancelled'],
  cancelled: ['paid', 'refunded'],
  // A payment of today can be taken back before it is settled.
  paid: ['refunded', 'cancelled'],
  refunded: [],
};

export function transactionMayBecome(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}
