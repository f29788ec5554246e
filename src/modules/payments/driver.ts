import type { PaylinkDriver, VendorClient } from '../../providers/contract.ts';
import type { ProviderInstall } from './find-provider.ts';
import type { Paying } from './paying.ts';
import { sandboxDriver } from './sandbox-driver.ts';

/** The provider's own interface, or the pretended one. `baseUrl` is where pages of the sandbox are. */
export function driverOf(paying: Paying, { provider, install }: ProviderInstall, baseUrl = ''): PaylinkDriver {
  if (install.settings.sandbox !== true) return provider.live;
  return sandboxDriver(paying, provider, { organizationId: install.organization_id, baseUrl });
}

export function clientOf(paying: Paying, { install }: ProviderInstall, withinMs: number): VendorClient {
  return paying.clientFor(install, { withinMs });
}
