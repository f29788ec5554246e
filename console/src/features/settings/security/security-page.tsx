import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useSession } from '../../../platform/index.ts';
import { EmailText } from '../../../ui/email-text.tsx';
import { Card, Facts, Notice, Page } from '../../../ui/index.ts';
import { settingsWords } from '../words.ts';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { securityWords } from './words.ts';

export function SecurityPage(): ReactNode {
  const t = useWords(securityWords);
  const settings = useWords(settingsWords);
  const session = useSession();
  if (session.phase !== 'in') return null;
  const { account, organization } = session;
  const { user } = account;
  const role = organization?.role;
  const isRequired = organization?.require_totp === true;
  return (
    <Page title={settings('security')} note={t('note')}>
      {isRequired && !user.has_second_factor && <Notice tone="warn">{t('factorRequired')}</Notice>}
      <div className="settings-two">
        <div className="settings-stack">
          <SecondFactorCard user={user} isRequired={isRequired} />
          <PasswordCard user={user} />
          <SessionsCard />
        </div>
        <Card title={t('account')}>
          <Facts
            facts={[
              user.name === user.email ? undefined : [t('name'), user.name],
              [t('email'), <EmailText key="email" email={user.email} />],
              role === 'owner' || role === 'member' || role === 'viewer'
                ? [t('role'), settings(`role.${role}`)]
                : undefined,
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}
