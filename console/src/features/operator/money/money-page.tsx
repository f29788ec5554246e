import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Page, Tabs } from '../../../ui/index.ts';
import { MONEY_TABS } from '../search.ts';
import { Adjustments } from './adjustments.tsx';
import { Assignments } from './assignments.tsx';
import { Payments } from './payments.tsx';
import { Plans } from './plans.tsx';
import { Services } from './services.tsx';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');
const CONTENT = {
  payments: <Payments />,
  adjustments: <Adjustments />,
  plans: <Plans />,
  services: <Services />,
  assignments: <Assignments />,
};

export function MoneyPage(): ReactNode {
  const t = useWords(moneyWords);
  const { tab } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/money' });
  const shown = MONEY_TABS.find((one) => one === tab) ?? 'payments';
  return (
    <Page title={t('title')}>
      <Tabs
        label={t('tabs')}
        selected={shown}
        onSelect={(next) => {
          // The render itself selects the tab again, which must not drop its filters.
          if (next !== shown) void navigate({ search: next === 'payments' ? {} : { tab: next } });
        }}
        tabs={MONEY_TABS.map((id) => ({ id, title: t(`tab.${id}`), content: CONTENT[id] }))}
      />
    </Page>
  );
}
