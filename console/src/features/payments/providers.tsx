import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { Badge, Card } from '../../ui/index.ts';
import type { Provider } from './tones.ts';
import { paymentsWords } from './words.ts';

export function Providers({ providers }: { providers: readonly Provider[] }): ReactNode {
  const t = useWords(paymentsWords);
  return (['bnpl', 'gateway_sync'] as const).map((type) => (
    <Card key={type} title={t(`type.${type}`)}>
      <p className="soft payments-note">{t(`type.${type}.hint`)}</p>
      <ul className="payments-providers">
        {providers
          .filter((provider) => provider.type === type)
          .map((provider) => (
            <li key={provider.id}>
              <OneProvider provider={provider} />
            </li>
          ))}
      </ul>
    </Card>
  ));
}

function OneProvider({ provider }: { provider: Provider }): ReactNode {
  const t = useWords(paymentsWords);
  const name = useName();
  const may = useMay();
  const mayRead = may('read:Apps');
  const mayInstall = useOrganization().branch_id === null && may('create:Apps');
  const installs = useRead('listApps', {}, { enabled: mayRead, staleTime: 60_000 }).data?.data ?? [];
  const install = installs.find(({ app_slug }) => app_slug === provider.app_slug);
  const tone = provider.enabled ? 'good' : provider.installed ? 'warn' : 'plain';
  const state = provider.enabled ? 'enabled' : provider.installed ? 'disabled' : 'absent';
  return (
    <div className="payments-provider">
      <strong>{name(provider)}</strong>
      <Badge tone={tone}>{t(`provider.${state}`)}</Badge>
      {install !== undefined && (
        <Link to="/apps/$id" params={{ id: install.id }} aria-label={t('settingsOf', { provider: name(provider) })}>
          {t('settings')}
        </Link>
      )}
      {!provider.installed && mayInstall && (
        <Link
          to="/apps/new/$slug"
          params={{ slug: provider.app_slug }}
          aria-label={t('installNamed', { provider: name(provider) })}
        >
          {t('install')}
        </Link>
      )}
    </div>
  );
}
