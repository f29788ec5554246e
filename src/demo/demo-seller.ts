import type { CommercialSettings, Seller } from '../modules/commercial/fleet/index.ts';

/** The operator on the tax invoices of the demo. */
export const DEMO_SELLER: Seller = {
  name: 'Dukkan Operations',
  nameAr: 'شركة دكان للتشغيل',
  vatNumber: '300012345600003',
  address: 'King Fahd Road, Al Olaya, Riyadh 12214',
};

/** With the demo, invoices have a seller and merchants can try to pay, unless the settings say otherwise. */
export function withDemoBilling(settings: CommercialSettings): CommercialSettings {
  return { ...settings, seller: settings.seller ?? DEMO_SELLER, payments: settings.payments ?? 'sandbox' };
}
