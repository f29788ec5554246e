import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Page, Tabs } from '../../../ui/index.ts';
import { SYSTEM_TABS } from '../search.ts';
import { Audit } from './audit.tsx';
import { Health } from './health.tsx';
import './system.css';
import { systemWords } from './words.ts';

const route = getRouteApi('/in/operator/system');
const CONTENT = { health: <Health />, audit: <Audit /> };

export function SystemPage(): ReactNode {
  const t = useWords(systemWords);
  const { tab } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/system' });
  const shown = SYSTEM_TABS.find((one) => one === tab) ?? 'health';
  return (
    <Page title={t('title')}>
      <Tabs
        label={t('tabs')}
        selected={shown}
        onSelect={(next) => {
          if (next !== shown) void navigate({ search: next === 'health' ? {} : { tab: next } });
        }}
        tabs={SYSTEM_TABS.map((id) => ({ id, title: t(`tab.${id}`), content: CONTENT[id] }))}
      />
    </Page>
  );
}
