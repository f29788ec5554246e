import type { App } from '../../../platform/http/app.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createReadBilling } from '../billing/index.ts';
import { checkoutRoutes } from './checkouts/routes.ts';
import { fleetRoutes } from './fleet-routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { moneyRoutes } from './money-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { ownBillingRoutes } from './own-billing-routes.ts';
import { planRoutes } from './plans/routes.ts';
import { userRoutes } from './user-routes.ts';

export type CommercialOptions = {
  publicUrl: string | undefined;
  /** Whether merchants can pay online. */
  payments: 'off' | 'sandbox';
  /** Drops what this node has cached of an organization's members. */
  forgetOrganization(id: string): void;
  /** Drops what this node has cached of one account. */
  forgetUser(id: string): void;
};

export function commercialRoutes(app: App, platform: Platform, options: CommercialOptions): void {
  const readBilling = createReadBilling(platform);
  fleetRoutes(app, platform);
  moneyRoutes(app, platform, options);
  organizationRoutes(app, platform, { ...options, readBilling });
  userRoutes(app, platform, options);
  ownBillingRoutes(app, platform, { readBilling, payments: options.payments });
  invoiceRoutes(app, platform);
  checkoutRoutes(app, platform, options);
  planRoutes(app, platform);
}
