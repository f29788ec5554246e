import type { BnplProvider, Provider } from '../../providers/contract.ts';
import { findProvider } from '../../providers/list.ts';
import { findInstalls, type Install, listInstalls } from '../apps/index.ts';
import type { Paylink } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { appNotEnabled, appNotInstalled, noPaylinks, providerNotFound, sandboxOff } from './refusals.ts';

export type ProviderInstall = { provider: BnplProvider; install: Install };

export function getPaylinkProvider(id: string): BnplProvider {
  const provider: Provider | undefined = findProvider(id);
  if (provider === undefined) throw providerNotFound(id);
  if (provider.type !== 'bnpl') throw noPaylinks(id);
  return provider;
}

/** The install for new payments of a provider: at most one of an app is enabled. */
export async function getProviderInstall(
  payments: PaymentContext,
  organizationId: string,
  provider: BnplProvider,
): Promise<ProviderInstall> {
  const { slug } = provider.app;
  const installs = (await listInstalls(payments.sql, payments.box, organizationId)).filter(
    (install) => install.app_slug === slug,
  );
  return { provider, install: usable(payments, slug, installs.find(({ enabled }) => enabled) ?? installs[0]) };
}

/** The install that a paylink was created through. */
export async function getProviderInstallOf(payments: PaymentContext, row: Paylink): Promise<ProviderInstall> {
  const provider = getPaylinkProvider(row.provider);
  const [install] = await findInstalls(payments.sql, payments.box, [row.organization_app_id]);
  return { provider, install: usable(payments, provider.app.slug, install) };
}

function usable({ allowsSandbox }: PaymentContext, slug: string, install: Install | undefined): Install {
  if (install === undefined) throw appNotInstalled(slug);
  if (!install.enabled) throw appNotEnabled(slug, install.id);
  if (install.settings.sandbox === true && !allowsSandbox) throw sandboxOff(slug);
  return install;
}
