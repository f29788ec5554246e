import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { readStored, useMay, useOrganization, useRead, useScope, writeStored } from '../../../platform/index.ts';
import { Badge, Button, Card, Icon } from '../../../ui/index.ts';
import { startWords } from './words.ts';

const ONE = { query: { limit: 1 } } as const;

type Step = {
  id: 'branch' | 'product' | 'channel' | 'team' | 'webhook' | 'order';
  to: '/branches' | '/products' | '/apps' | '/settings/team' | '/webhooks' | '/till';
  mayRead: boolean;
  /** Undefined while it is read. */
  isDone: boolean | undefined;
};

/** First steps of a new organization, each from its data. Shown until the first order, or until this person hides them. */
export default function FirstSteps(): ReactNode {
  const t = useWords(startWords);
  const { userId, organizationId } = useScope();
  const stored = `home.checklist.${userId}.${organizationId ?? ''}`;
  const [isHidden, setHidden] = useState(readStored(stored) !== null);
  const steps = useSteps().filter(({ mayRead }) => mayRead);
  if (isHidden || steps.length < 2) return null;
  const done = steps.filter(({ isDone }) => isDone === true).length;
  return (
    <Card
      title={t('title')}
      tools={
        <Button
          size="small"
          onPress={() => {
            writeStored(stored, 'hidden');
            setHidden(true);
          }}
        >
          {t('hide')}
        </Button>
      }
    >
      <p className="soft small">{t('progress', { done, all: steps.length })}</p>
      <ol className="home-steps">
        {steps.map(({ id, to, isDone }) => (
          <li key={id} data-done={isDone || undefined}>
            <Icon name={isDone === true ? 'check' : 'forward'} />
            <div>
              <Link to={to}>{t(`${id}.title`)}</Link>
              <div className="soft small">{t(`${id}.hint`)}</div>
            </div>
            {isDone === true && <Badge tone="good">{t('done')}</Badge>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function useSteps(): Step[] {
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  const mayKeys = may('read:Settings') && isWhole;
  const branches = useRead('listBranches', ONE, { enabled: may('read:Branches') }).data;
  const products = useRead('listProducts', ONE, { enabled: may('read:Products') }).data;
  const apps = useRead('listApps', {}, { enabled: may('read:Apps') }).data;
  const keys = useRead('listApiKeys', ONE, { enabled: mayKeys }).data;
  const members = useRead('listMembers', ONE, { enabled: mayKeys }).data;
  const webhooks = useRead('listWebhookSubscriptions', {}, { enabled: may('read:Webhooks') && isWhole }).data;
  const some = (answer: { total_count: number } | undefined, least = 1) =>
    answer === undefined ? undefined : answer.total_count >= least;
  const hasApp = apps === undefined ? undefined : apps.data.length > 0;
  return [
    { id: 'branch', to: '/branches', mayRead: may('read:Branches'), isDone: some(branches) },
    { id: 'product', to: '/products', mayRead: may('read:Products'), isDone: some(products) },
    { id: 'channel', to: '/apps', mayRead: may('read:Apps'), isDone: hasApp === true ? true : (some(keys) ?? hasApp) },
    { id: 'team', to: '/settings/team', mayRead: mayKeys, isDone: some(members, 2) },
    {
      id: 'webhook',
      to: '/webhooks',
      mayRead: may('read:Webhooks') && isWhole,
      isDone: webhooks === undefined ? undefined : webhooks.data.length > 0,
    },
    { id: 'order', to: '/till', mayRead: may('create:Orders'), isDone: false },
  ];
}
