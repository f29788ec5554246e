import { ConfigError, type SettingReader } from '../../../platform/config.ts';
import type { Seller } from './invoices/issue-fee-invoices.ts';

export type CommercialSettings = {
  /**
   * Whether months are charged automatically and organizations that do not pay are suspended. An operator that runs the
   * service only for its own shops turns it off; commands and payments by hand still work.
   */
  chargesMonths: boolean;
  /** The operator on its tax invoices; without a VAT number none is issued. */
  seller: Seller | undefined;
  /** `sandbox`: merchants can try to pay online; no real money moves. Undefined: off, or the sandbox with the demo. */
  payments: 'off' | 'sandbox' | undefined;
};

const VAT_NUMBER = /^3\d{13}3$/;

export function readCommercialSettings({ flag, text, optional }: SettingReader): CommercialSettings {
  const name = text('BILLING_SELLER_NAME', '');
  const nameAr = text('BILLING_SELLER_NAME_AR', name);
  const vatNumber = optional('BILLING_SELLER_VAT_NUMBER');
  const address = text('BILLING_SELLER_ADDRESS', '');
  const payments = optional('BILLING_PAYMENTS');
  if (payments !== undefined && payments !== 'off' && payments !== 'sandbox') {
    throw new ConfigError(`BILLING_PAYMENTS must be off or sandbox, not "${payments}"`);
  }
  return {
    chargesMonths: flag('DUKKAN_BILLING', true),
    seller:
      vatNumber === undefined ? undefined : { name: sellerName(name), nameAr, vatNumber: valid(vatNumber), address },
    payments,
  };
}

function sellerName(name: string): string {
  if (name === '') throw new ConfigError('BILLING_SELLER_NAME is required with BILLING_SELLER_VAT_NUMBER');
  return name;
}

function valid(vatNumber: string): string {
  if (VAT_NUMBER.test(vatNumber)) return vatNumber;
  throw new ConfigError(`BILLING_SELLER_VAT_NUMBER must have 15 digits, the first and the last 3, not "${vatNumber}"`);
}
