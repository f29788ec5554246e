import { type ReactNode, useEffect, useState } from 'react';
import { useName, useWords } from '../i18n/index.ts';
import { type Account, leaveSupport, reloadAccount } from '../platform/index.ts';
import { Badge, Button, Icon } from '../ui/index.ts';
import './support-banner.css';
import { supportWords } from './support-words.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Also notices within this time that the organization has ended the access. */
const LOOKS_AGAIN_MS = 20_000;

type Props = { account: Account; support: NonNullable<Account['support']> };

/** Above every page while an operator is inside an organization: who, where, what is allowed, for how long, and the way out. */
export default function SupportBanner({ account, support }: Props): ReactNode {
  const t = useWords(supportWords);
  const name = useName();
  const [organization] = account.organizations;
  const leftMs = useRemaining(support.grant_expires_at);
  const [isLeaving, setLeaving] = useState(false);
  if (organization === undefined) return null;
  // Rounded down, so that the banner never promises more than there is.
  const time =
    leftMs >= 2 * HOUR_MS
      ? t('hours', { count: Math.floor(leftMs / HOUR_MS) })
      : t('minutes', { count: Math.floor(leftMs / MINUTE_MS) });
  return (
    <section className="support-banner" aria-label={t('label')}>
      <Icon name="operator" />
      <div className="support-banner-text">
        <strong>{t('inside', { organization: name(organization), operator: account.user.name })}</strong>
        <span className="support-banner-facts">
          <Badge tone={support.scope === 'full' ? 'warn' : 'info'}>{t(`scope.${support.scope}`)}</Badge>
          <span>{t('left', { time })}</span>
          <span>{t('recorded')}</span>
        </span>
      </div>
      <Button
        isPending={isLeaving}
        onPress={() => {
          setLeaving(true);
          void leaveSupport(organization.id);
        }}
      >
        {t('leave')}
      </Button>
    </section>
  );
}

function useRemaining(until: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      void reloadAccount();
    }, LOOKS_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, new Date(until).getTime() - now);
}
