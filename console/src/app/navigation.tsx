import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useLanguage, useWords } from '../i18n/index.ts';
import { type NavigationEntry, type NavigationGroup, useBadge, useMay, useSession } from '../platform/index.ts';
import { Icon, type IconName } from '../ui/index.ts';
import { FEATURES } from './features.ts';
import { appWords } from './words.ts';

const GROUPS: readonly NavigationGroup[] = ['work', 'catalog', 'connect', 'insight', 'manage', 'operator'];

/** The entries that this account sees, in order. */
export function useNavigation(): readonly NavigationEntry[] {
  const session = useSession();
  const may = useMay();
  return useMemo(() => {
    if (session.phase !== 'in') return [];
    const { account, organization } = session;
    return FEATURES.flatMap(({ navigation }) => navigation).filter((entry) => {
      if (entry.commercial === true) return account.user.operator_type === 'Commercial' && account.support === null;
      if (organization === undefined) return false;
      if (entry.wholeOrganization === true && organization.branch_id !== null) return false;
      return entry.grant === undefined || may(entry.grant);
    });
  }, [session, may]);
}

export function Navigation({ onGo }: { onGo?: () => void }): ReactNode {
  const t = useWords(appWords);
  const language = useLanguage();
  const entries = useNavigation();
  return (
    <nav className="frame-navigation" aria-label={t('navigation')}>
      {GROUPS.map((group) => {
        const own = entries.filter((entry) => entry.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group} className="frame-group">
            <div className="frame-group-title" id={`group-${group}`}>
              {t(`group.${group}`)}
            </div>
            <ul aria-labelledby={`group-${group}`}>
              {own.map((entry) => (
                <li key={entry.to}>
                  <Link
                    to={entry.to as '/'}
                    className="frame-link"
                    activeOptions={{ exact: isAbove(entry, entries), includeSearch: false }}
                    {...(onGo === undefined ? {} : { onClick: onGo })}
                  >
                    <Icon name={entry.icon as IconName} />
                    {entry.title[language]}
                    <EntryBadge to={entry.to} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function EntryBadge({ to }: { to: string }): ReactNode {
  const t = useWords(appWords);
  const count = useBadge(to);
  if (count === 0) return null;
  return (
    <span className="frame-badge" title={t('waiting')}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {t('waiting')}</span>
    </span>
  );
}

/** It has entries below its path, so it is active only on exactly this path. */
function isAbove({ to }: NavigationEntry, entries: readonly NavigationEntry[]): boolean {
  return to === '/' || entries.some((other) => other.to.startsWith(`${to}/`));
}
