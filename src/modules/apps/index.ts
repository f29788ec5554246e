import type { VendorClient } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import type { App as Http } from '../../platform/http/app.ts';
import { parseNetworks } from '../../platform/outbound/address-policy.ts';
import { readExtraCa } from '../../platform/outbound/extra-ca.ts';
import { createSender } from '../../platform/outbound/index.ts';
import { createHostResolver } from '../../platform/outbound/resolve-host.ts';
import type { Platform } from '../../platform/platform.ts';
import { APPS, findVendor } from './catalog.ts';
import type { SettingRules } from './check-settings.ts';
import { createForwardStatus, type ForwardStatus } from './forward-status.ts';
import type { Install } from './install.ts';
import type { InstallListener } from './manage-installs.ts';
import { appRoutes } from './routes.ts';
import { readInstallFigures } from './sql.ts';
import { type CallLimits, createVendorCaller } from './vendor-client.ts';

export { APPS, findApp } from './catalog.ts';
export type { Forwarded, ForwardedOrder, ForwardStatus } from './forward-status.ts';
export { type Install, ingestUrl, statusOf } from './install.ts';
export { type InstallListener, installNotFound, newInstall, placeInstall } from './manage-installs.ts';
export { EXAMPLE_INSTALL_ID } from './schema.ts';
export {
  claimPoll,
  findInstalledIds,
  findInstalls,
  findOrderChannels,
  type InstallHealth,
  type InstallOutline,
  isInstalled,
  listInstallOutlines,
  listInstalls,
  listOrderChannels,
  listPollable,
  lockInstallOwner,
  lockPollCursor,
  moveCursor,
  type OrderChannel,
  recordInstallHealth,
  releasePoll,
} from './sql.ts';
export type { CallLimits } from './vendor-client.ts';
export { credentialsMissing, vendorProblem, vendorRefused, vendorUnavailable } from './vendor-problem.ts';

export type Apps = {
  /** A client for the vendor of an install; the limits are for all its calls together. */
  clientFor(install: Install, limits?: CallLimits): VendorClient;
  forwardStatus: ForwardStatus;
  /** Aborts calls under way when the service stops. */
  always: { start(): Promise<void>; stop(withinMs: number): Promise<void> };
  /** `listeners` run in the transaction that creates or removes an install. */
  routes(http: Http, listeners: readonly InstallListener[]): void;
  figures(): Promise<{ factories: number; installs: number; enabledInstalls: number; failingInstalls: number }>;
};

export type AppOptions = {
  allowedNetworks: string;
  caFile: string | undefined;
  publicUrl: string | undefined;
  /** Whether installs may use the sandbox; true in the demo only. */
  allowsSandbox: boolean;
};

export function createApps(platform: Platform, options: AppOptions): Apps {
  const rules: SettingRules = {
    allowed: parseNetworks(options.allowedNetworks),
    resolve: createHostResolver(),
    allowsSandbox: options.allowsSandbox,
  };
  const stopping = new AbortController();
  const sender = createSender({
    allowedNetworks: rules.allowed,
    extraCa: readExtraCa(options.caFile),
    resolve: rules.resolve,
    // The limit of concurrent calls of an install: no call spends its deadline waiting for a connection.
    maxSocketsPerTarget: 8,
    now: platform.clock.now,
  });
  const caller = createVendorCaller({ sender, clock: platform.clock, signal: stopping.signal });
  const clientFor: Apps['clientFor'] = (install, limits) => {
    const { id, organization_id: organizationId, app_slug, settings, secretOrigins } = install;
    const vendor = findVendor(app_slug) ?? { app: {} };
    return caller.clientFor({ id, organizationId, settings, secretOrigins }, vendor, limits);
  };
  return {
    clientFor,
    forwardStatus: createForwardStatus({ sql: platform.sql, box: platform.box, now: platform.clock.now, clientFor }),
    always: {
      start: async () => undefined,
      async stop(withinMs) {
        const abortTimer = setTimeout(() => stopping.abort(), withinMs / 2);
        await sender.close();
        clearTimeout(abortTimer);
      },
    },
    routes: (http, listeners) =>
      appRoutes(http, platform, {
        rules,
        publicUrl: options.publicUrl,
        canPush: (slug) => findChannel(slug)?.push !== undefined,
        listeners,
        clientFor,
      }),
    async figures() {
      const { installs, enabled, failing } = await readInstallFigures(platform.backgroundSql);
      return { factories: APPS.length, installs, enabledInstalls: enabled, failingInstalls: failing };
    },
  };
}
