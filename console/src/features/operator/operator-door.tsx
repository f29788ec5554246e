import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useSession } from '../../platform/index.ts';
import { EmptyState, Page } from '../../ui/index.ts';
import './operator.css';
import { operatorWords } from './words.ts';

/** Around every page of the portal. The service refuses a merchant each of them; this says so before anything is asked. */
export function OperatorDoor(): ReactNode {
  const t = useWords(operatorWords);
  const common = useWords(commonWords);
  const session = useSession();
  if (session.phase === 'in' && session.account.user.operator_type === 'Commercial') return <Outlet />;
  return (
    <Page title={t('doorTitle')}>
      <EmptyState
        icon="lock"
        title={t('doorClosed')}
        hint={t('doorClosedHint')}
        action={<Link to="/">{common('goHome')}</Link>}
      />
    </Page>
  );
}
