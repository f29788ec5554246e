import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useWords } from '../../i18n/index.ts';
import { GoOnce, useMay, useSession } from '../../platform/index.ts';
import './settings.css';
import { settingsWords } from './words.ts';

type Place = {
  to: string;
  name: 'general' | 'team' | 'keys' | 'audit' | 'billing' | 'support' | 'security' | 'tokens';
};

const OF_ORGANIZATION: readonly Place[] = [
  { to: '/settings', name: 'general' },
  { to: '/settings/team', name: 'team' },
  { to: '/settings/keys', name: 'keys' },
  { to: '/settings/billing', name: 'billing' },
  { to: '/settings/support', name: 'support' },
  { to: '/settings/audit', name: 'audit' },
];
const OWN: readonly Place[] = [
  { to: '/settings/security', name: 'security' },
  { to: '/settings/tokens', name: 'tokens' },
];

/** One navigation entry for all settings; its pages have their own list. */
export function SettingsPage(): ReactNode {
  const t = useWords(settingsWords);
  const { pathname } = useLocation();
  const places = useOpenPlaces();
  const nav = useRef<HTMLElement>(null);
  // In a narrow window the list is one line that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  const isAtStart = pathname === '/settings' || pathname === '/settings/';
  if (isAtStart && !places.some(({ to }) => to === '/settings')) {
    return <GoOnce where={() => ({ to: '/settings/security' })} />;
  }
  const groups = [
    ['organization', places.filter((place) => OF_ORGANIZATION.includes(place))],
    ['own', places.filter((place) => OWN.includes(place))],
  ] as const;
  return (
    <div className="settings">
      <nav ref={nav} className="settings-places" aria-label={t('title')}>
        {groups.map(([group, own]) => (
          <Fragment key={group}>
            {own.length > 0 && <div className="settings-group">{t(`group.${group}`)}</div>}
            {own.map(({ to, name }) => (
              <Link
                key={to}
                to={to as '/'}
                className="settings-place"
                activeOptions={{ exact: true, includeSearch: false }}
              >
                {t(name)}
              </Link>
            ))}
          </Fragment>
        ))}
      </nav>
      <div className="settings-content">
        <Outlet />
      </div>
    </div>
  );
}

/** The pages that stay open for a suspended organization. */
function useOpenPlaces(): readonly Place[] {
  const session = useSession();
  const may = useMay();
  if (session.phase !== 'in') return [];
  const { organization, account } = session;
  // An operator's own account is not open from inside another organization.
  const own = account.support === null ? OWN : [];
  if (organization === undefined || !may('read:Settings')) return own;
  if (organization.require_totp && !account.user.has_second_factor) return own;
  const ofOrganization = OF_ORGANIZATION.filter(({ name }) => {
    if (organization.suspended && !['billing', 'keys', 'support'].includes(name)) return false;
    return organization.branch_id === null || name === 'general';
  });
  return [...ofOrganization, ...own];
}
