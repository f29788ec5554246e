import type { PaylinkDriver, VendorClient } from '../../providers/contract.ts';
import type { ProviderInstall } from './find-provider.ts';
import type { PaymentContext } from './payment-context.ts';
import { sandboxDriver } from './sandbox-driver.ts';

/** The provider's API or, for a sandbox install, the sandbox. `baseUrl` is the origin of the sandbox pages. */
export function driverOf(
  payments: PaymentContext,
  { provider, install }: ProviderInstall,
  baseUrl = '',
): PaylinkDriver {
  if (install.settings.sandbox !== true) return provider.live;
  return sandboxDriver(payments, provider, { organizationId: install.organization_id, baseUrl });
}

export function clientOf(payments: PaymentContext, { install }: ProviderInstall, withinMs: number): VendorClient {
  return payments.clientFor(install, { withinMs });
}
