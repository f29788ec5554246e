import { findProviderByApp } from '../../providers/list.ts';
import { readOrganizationDefaults } from '../identity/index.ts';
import type { PayloadReader } from '../staging/index.ts';
import type { Paying } from './paying.ts';
import { prepareNotice } from './take-notice.ts';
import { prepareTransaction } from './take-transaction.ts';

/** What payment providers send, once it is proven and staged. */
export function createPaymentReader(paying: Paying): PayloadReader {
  return {
    handles: (appSlug) => findProviderByApp(appSlug) !== undefined,
    async prepare(install, { method, path, query, headers, payload, receivedAt }, client) {
      const provider = findProviderByApp(install.app_slug);
      if (provider === undefined) throw new Error(`${install.app_slug} is no provider's app`);
      const { timeZone, currency } = await readOrganizationDefaults(paying.sql, install.organization_id);
      const { settings } = install;
      const staged = {
        call: { method, path, query, headers, body: payload },
        context: { settings, timeZone: settings.time_zone || timeZone, currency, receivedAt },
      };
      return provider.type === 'bnpl'
        ? prepareNotice(paying, provider, install, staged, client)
        : prepareTransaction(paying, provider, install, staged, client);
    },
  };
}
