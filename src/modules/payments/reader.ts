import { findProviderByApp } from '../../providers/list.ts';
import { readOrganizationDefaults } from '../identity/index.ts';
import type { PayloadReader } from '../staging/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { prepareNotice } from './take-notice.ts';
import { prepareTransaction } from './take-transaction.ts';

/** Processes the verified and staged calls of payment providers. */
export function createPaymentReader(payments: PaymentContext): PayloadReader {
  return {
    handles: (appSlug) => findProviderByApp(appSlug) !== undefined,
    async prepare(install, { method, path, query, headers, payload, receivedAt }, client) {
      const provider = findProviderByApp(install.app_slug);
      if (provider === undefined) throw new Error(`${install.app_slug} is no provider's app`);
      const { timeZone, currency } = await readOrganizationDefaults(payments.sql, install.organization_id);
      const { settings } = install;
      const staged = {
        call: { method, path, query, headers, body: payload },
        context: { settings, timeZone: settings.time_zone || timeZone, currency, receivedAt },
      };
      return provider.type === 'bnpl'
        ? prepareNotice(payments, provider, install, staged, client)
        : prepareTransaction(payments, provider, install, staged, client);
    },
  };
}
