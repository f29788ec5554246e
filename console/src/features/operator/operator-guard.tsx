import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useSession } from '../../platform/index.ts';
import { EmptyState, Page } from '../../ui/index.ts';
import './operator.css';
import { operatorWords } from './words.ts';

/** Around every operator page. The service refuses merchants; this shows it before any request is sent. */
export function OperatorGuard(): ReactNode {
  const t = useWords(operatorWords);
  const common = useWords(commonWords);
  const session = useSession();
  const account = session.phase === 'in' ? session.account : undefined;
  if (account?.user.operator_type === 'Commercial' && account.support === null) return <Outlet />;
  return (
    <Page title={t('guardTitle')}>
      <EmptyState
        icon="lock"
        title={t('guardClosed')}
        hint={t('guardClosedHint')}
        action={<Link to="/">{common('goHome')}</Link>}
      />
    </Page>
  );
}
