import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useName, useWords } from '../i18n/index.ts';
import { reloadAccount, useMay, useOrganization, useRead } from '../platform/index.ts';
import { EmptyState, Page } from '../ui/index.ts';
import { closedWords } from './closed-words.ts';
import { appWords } from './words.ts';

const LOOKS_AGAIN_MS = 30_000;

/** Replaces every page that the service would refuse: the reason and how to resolve it. */
export default function ClosedPage({ why }: { why: 'suspended' | 'second-factor' }): ReactNode {
  const app = useWords(appWords);
  const t = useWords(closedWords);
  const name = useName();
  const may = useMay();
  const organization = useOrganization();
  // The page reloads the account by itself while a user waits for a payment to arrive.
  useEffect(() => {
    const timer = setInterval(() => void reloadAccount(), LOOKS_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const seesBilling = may('read:Settings') && organization.branch_id === null;
  const billing = useRead('readOwnBilling', {}, { enabled: why === 'suspended' && seesBilling });
  const suspension = billing.data?.suspension;
  if (why === 'second-factor') {
    return (
      <Page title={name(organization)}>
        <EmptyState
          icon="lock"
          title={app('needsSecondFactor')}
          action={<Way to="/settings/security" text={app('toSecurity')} />}
        />
      </Page>
    );
  }
  return (
    <Page title={name(organization)}>
      <EmptyState
        icon="lock"
        title={t('suspendedTitle')}
        hint={[
          t('suspendedHint'),
          suspension?.by === 'operator' && t('suspendedByOperator', { reason: suspension.reason }),
          suspension?.by === 'billing' && t('suspendedForFees'),
          !seesBilling && t('toOwner'),
        ]
          .filter(Boolean)
          .join(' ')}
        {...(seesBilling && {
          action: <Way to="/settings/billing" text={suspension?.by === 'operator' ? app('billing') : t('toBilling')} />,
        })}
      />
    </Page>
  );
}

function Way({ to, text }: { to: string; text: string }): ReactNode {
  return (
    <Link to={to as '/'} className="ui-button" data-look="primary">
      {text}
    </Link>
  );
}
