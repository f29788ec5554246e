import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useName, useWords } from '../i18n/index.ts';
import {
  GoOnce,
  isKnownHere,
  type NavigationEntry,
  queriesOf,
  reloadAccount,
  type Session,
  useLiveConnection,
  useOnline,
  useSession,
} from '../platform/index.ts';
import { EmptyState, ErrorState, Notice, useShortcuts } from '../ui/index.ts';
import './frame.css';
import { lazyExtra } from './lazy-extra.ts';
import { Navigation, useNavigation } from './navigation.tsx';
import { PendingPage } from './page-states.tsx';
import { OrganizationSwitch, Top } from './top.tsx';
import { appWords } from './words.ts';

const Palette = lazy(() => import('./palette.tsx'));
const ClosedPage = lazy(() => import('./closed-page.tsx'));
const SideNavigation = lazy(() => import('./side-navigation.tsx'));
const OutdatedNotice = lazy(() => import('./outdated-notice.tsx'));
const SupportBanner = lazy(() => import('./support-banner.tsx'));
const Watches = lazyExtra(() => import('./watches.tsx'));
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

/** The frame around every page of a signed-in user. */
export function Frame(): ReactNode {
  const session = useSession();
  switch (session.phase) {
    case 'starting':
      return <PendingPage />;
    case 'out':
      return <ToSignIn />;
    case 'unreachable':
      return <ErrorState error={session.error} onRetry={() => void reloadAccount()} />;
    case 'in':
      // A new scope remounts everything: no state and no answer of the previous one stays.
      return (
        <QueryClientProvider client={queriesOf(session.scope)} key={session.scope.id}>
          <SignedIn session={session} />
        </QueryClientProvider>
      );
  }
}

/** Sends to sign-in and remembers the address, except after signing out: the next user starts at the first page. A first visit to `/` shows the welcome page. */
function ToSignIn(): ReactNode {
  const { latestLocation } = useRouter();
  const { href } = latestLocation;
  const session = useSession();
  return (
    <GoOnce
      where={() => {
        if (session.phase === 'out' && session.reason === 'signed-out') return { to: '/sign-in' };
        if (href === '/') return { to: isKnownHere() ? '/sign-in' : '/welcome' };
        return { to: '/sign-in', search: { next: href } };
      }}
    />
  );
}

type Open = 'palette' | 'help' | 'navigation' | undefined;

function SignedIn({ session }: { session: Extract<Session, { phase: 'in' }> }): ReactNode {
  const t = useWords(appWords);
  const { navigate } = useRouter();
  const { pathname } = useLocation();
  const [open, setOpen] = useState<Open>(undefined);
  const close = () => setOpen(undefined);
  const entries = useNavigation();
  useLiveConnection();
  useShortcuts({
    'mod+k': () => setOpen('palette'),
    '?': () => setOpen('help'),
    '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
    ...Object.fromEntries(
      entries.flatMap(({ keys, to }) => (keys === undefined ? [] : [[keys, () => void navigate({ to: to as '/' })]])),
    ),
  });
  useFocusOnNewPage(pathname, session.scope.id);
  const closed = closedBy(session);
  const isShut = closed !== undefined && !STAYS_OPEN[closed].includes(pathname);
  // Home belongs to an organization; operators have another first page.
  const elsewhere = awayFrom(session, pathname, entries);
  // While the next page is loaded, the address is the next one and the page still the former one.
  const shown = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname ?? '' });
  const isLeaving = awayFrom(session, shown, entries) !== undefined;
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        {t('skip')}
      </a>
      <aside className="frame-side">
        <OrganizationSwitch />
        <Navigation />
      </aside>
      <div className="frame-main">
        {session.account.support !== null && (
          <Suspense>
            <SupportBanner account={session.account} support={session.account.support} />
          </Suspense>
        )}
        <Top onFind={() => setOpen('palette')} onHelp={() => setOpen('help')} onMenu={() => setOpen('navigation')} />
        <Notices session={session} closed={isShut ? undefined : closed} />
        <main id="main" className="frame-content" tabIndex={-1}>
          {entries.length === 0 ? (
            <EmptyState icon="branches" title={t('noOrganization')} hint={t('noOrganizationHint')} />
          ) : elsewhere !== undefined ? (
            <GoOnce where={() => ({ to: elsewhere })} />
          ) : (
            <Suspense fallback={<PendingPage />}>
              {isShut ? <ClosedPage why={closed} /> : isLeaving ? <PendingPage /> : <Outlet />}
            </Suspense>
          )}
        </main>
      </div>
      <Suspense>
        <Watches />
      </Suspense>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} onHelp={() => setOpen('help')} />}
        {open === 'navigation' && <SideNavigation onClose={close} />}
        {open === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** From inside an organization the operator's pages are closed, and from outside those of the organization that was left. */
function awayFrom(
  { account, organization, leftOrganization }: Extract<Session, { phase: 'in' }>,
  pathname: string,
  entries: readonly NavigationEntry[],
): string | undefined {
  if (account.support !== null && pathname.startsWith('/operator')) return '/';
  if (organization !== undefined) return undefined;
  const isOwn = entries.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  if (leftOrganization !== undefined && !isOwn) return `/operator/organizations/${leftOrganization}`;
  return pathname === '/' ? entries[0]?.to : undefined;
}

type Closed = 'suspended' | 'second-factor';
/** Pages the service still answers. The first one shows how to resolve it. */
const STAYS_OPEN: Record<Closed, readonly string[]> = {
  suspended: ['/settings/billing', '/settings/security', '/settings/tokens', '/settings/keys', '/settings/support'],
  'second-factor': ['/settings/security', '/settings/tokens'],
};

function closedBy({ account, organization }: Extract<Session, { phase: 'in' }>): Closed | undefined {
  if (organization?.require_totp === true && !account.user.has_second_factor) return 'second-factor';
  return organization?.suspended === true ? 'suspended' : undefined;
}

type NoticesProps = { session: Extract<Session, { phase: 'in' }>; closed: Closed | undefined };

function Notices({ session, closed }: NoticesProps): ReactNode {
  const t = useWords(appWords);
  const name = useName();
  const online = useOnline();
  const { pathname } = useLocation();
  const { organization } = session;
  const [out] = closed === undefined ? [] : STAYS_OPEN[closed];
  return (
    <div className="frame-notices">
      {!online && <Notice tone="warn">{t('offline')}</Notice>}
      <Suspense>
        <OutdatedNotice />
      </Suspense>
      {organization !== undefined && closed !== undefined && pathname !== out && (
        <Notice tone="bad">
          <strong>{name(organization)}</strong>: {t(closed === 'suspended' ? 'suspended' : 'needsSecondFactor')}{' '}
          <Link to={out as '/'}>{t(closed === 'suspended' ? 'billing' : 'toSecurity')}</Link>
        </Notice>
      )}
    </div>
  );
}

/**
 * Focus moves to the beginning of the page for users who cannot see that it changed. Not on the first one: there the browser does it. After a
 * switch of organization the focused element is gone, so focus would be lost.
 */
function useFocusOnNewPage(pathname: string, scopeId: number): void {
  const [first] = useState(pathname);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (scopeId > 1 && document.activeElement === document.body) focusMain();
  }, [scopeId]);
  useEffect(() => {
    if (!seen && pathname === first) return;
    setSeen(true);
    focusMain();
  }, [pathname, first, seen]);
}

const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true });
