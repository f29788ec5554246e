import { findChannel } from '../../channels/list.ts';
import type { App as Http } from '../../platform/http/app.ts';
import { parseNetworks } from '../../platform/outbound/address-policy.ts';
import { createHostResolver } from '../../platform/outbound/resolve-host.ts';
import type { Platform } from '../../platform/platform.ts';
import { APPS } from './catalog.ts';
import type { SettingRules } from './check-settings.ts';
import type { InstallListener } from './manage-installs.ts';
import { appRoutes } from './routes.ts';
import { readInstallFigures } from './sql.ts';

export { APPS, findApp } from './catalog.ts';
export { type Install, ingestUrl, statusOf } from './install.ts';
export { type InstallListener, installNotFound, newInstall, placeInstall } from './manage-installs.ts';
export { EXAMPLE_INSTALL_ID } from './schema.ts';
export {
  claimPoll,
  type Faring,
  findInstalls,
  findOrderChannels,
  isInstalled,
  listInstalls,
  listOrderChannels,
  listPollable,
  moveCursor,
  noteFaring,
  type OrderChannel,
} from './sql.ts';

export type Apps = {
  /** Told of installs that come and go. To be set before the first request. */
  listeners: InstallListener[];
  routes(http: Http): void;
  figures(): Promise<{ factories: number; installs: number; enabledInstalls: number; failingInstalls: number }>;
};

export type AppOptions = {
  allowedNetworks: string;
  publicUrl: string | undefined;
  /** Whether installs may pretend: where the demo is. */
  allowsSandbox: boolean;
};

export function createApps(platform: Platform, options: AppOptions): Apps {
  const rules: SettingRules = {
    allowed: parseNetworks(options.allowedNetworks),
    resolve: createHostResolver(),
    allowsSandbox: options.allowsSandbox,
  };
  const listeners: InstallListener[] = [];
  return {
    listeners,
    routes: (http) =>
      appRoutes(http, platform, {
        rules,
        publicUrl: options.publicUrl,
        canPush: (slug) => findChannel(slug)?.push !== undefined,
        listeners,
      }),
    async figures() {
      const { installs, enabled, failing } = await readInstallFigures(platform.backgroundSql);
      return { factories: APPS.length, installs, enabledInstalls: enabled, failingInstalls: failing };
    },
  };
}
