import { useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLanguage, useName, useWords } from '../i18n/index.ts';
import {
  chooseLanguage,
  chooseOrganization,
  chooseTheme,
  signOut,
  type Theme,
  useLiveState,
  useRememberedJobs,
  useSession,
  useTheme,
} from '../platform/index.ts';
import { Button, Icon, Kbd, Menu, showToast } from '../ui/index.ts';
import { appWords } from './words.ts';

const JobsMenu = lazy(() => import('./jobs/jobs-menu.tsx'));
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function Top(props: { onFind(): void; onHelp(): void; onMenu(): void }): ReactNode {
  const t = useWords(appWords);
  const language = useLanguage();
  const theme = useTheme();
  const live = useLiveState();
  const session = useSession();
  const { navigate } = useRouter();
  const hasJobs = useRememberedJobs().length > 0;
  if (session.phase !== 'in') return null;
  const { user, support } = session.account;
  const leave = () => signOut().catch(() => showToast({ tone: 'bad', text: t('signOutUnknown') }));
  return (
    <header className="frame-top">
      <span className="frame-menu-button">
        <Button look="quiet" icon="menu" aria-label={t('openNavigation')} onPress={props.onMenu} />
      </span>
      <AriaButton className="frame-find" onPress={props.onFind}>
        <Icon name="search" />
        <span className="clip">{t('find')}</span>
        <Kbd>Ctrl K</Kbd>
      </AriaButton>
      <span className="frame-space" />
      {live !== 'off' && (
        <span className="frame-live" data-state={live} role="status">
          <span>{t(`live.${live}`)}</span>
        </span>
      )}
      {hasJobs && (
        <Suspense>
          <JobsMenu />
        </Suspense>
      )}
      <Button look="quiet" onPress={() => chooseLanguage(language === 'ar' ? 'en' : 'ar')}>
        {/* Each language is named in its own script: its readers may not read the other. */}
        <span lang={language === 'ar' ? 'en' : 'ar'}>{language === 'ar' ? 'English' : 'العربية'}</span>
      </Button>
      <Menu
        label={t('account')}
        button={{ look: 'quiet', icon: 'customers', 'aria-label': t('account') }}
        groups={[
          {
            id: 'theme',
            title: t('theme'),
            selected: theme,
            entries: THEMES.map((id) => ({ id, text: t(`theme.${id}`), onAction: () => chooseTheme(id) })),
          },
          {
            id: 'user',
            title: user.email,
            entries: [
              ...(support === null
                ? [
                    {
                      id: 'own',
                      text: t('ownAccount'),
                      icon: 'lock' as const,
                      onAction: () => void navigate({ to: '/settings/security' as '/' }),
                    },
                  ]
                : []),
              { id: 'help', text: t('shortcuts'), icon: 'info', onAction: props.onHelp },
              {
                id: 'docs',
                text: t('reference'),
                icon: 'globe',
                onAction: () => window.open('/docs', '_blank', 'noopener'),
              },
              { id: 'out', text: t('signOut'), icon: 'exit', onAction: () => void leave() },
            ],
          },
        ]}
      />
    </header>
  );
}

export function OrganizationSwitch(): ReactNode {
  const t = useWords(appWords);
  const name = useName();
  const session = useSession();
  if (session.phase !== 'in') return null;
  const { account, organization } = session;
  const shown = organization === undefined ? t('service') : name(organization);
  if (account.organizations.length < 2) {
    return (
      <div className="frame-organization">
        <Mark />
        <span className="clip">{shown}</span>
      </div>
    );
  }
  return (
    <Menu
      label={t('switchOrganization')}
      button={{
        className: 'frame-organization',
        'aria-label': `${t('switchOrganization')}: ${shown}`,
        children: (
          <>
            <Mark />
            <span className="clip">{shown}</span>
            <Icon name="down" />
          </>
        ),
      }}
      groups={[
        {
          id: 'organizations',
          title: t('organization'),
          selected: organization?.id,
          entries: account.organizations.map((one) => ({
            id: one.id,
            text: name(one),
            note: one.role,
            onAction: () => chooseOrganization(one.id),
          })),
        },
      ]}
    />
  );
}

function Mark(): ReactNode {
  return (
    <span className="frame-mark">
      <Icon name="branches" />
    </span>
  );
}
