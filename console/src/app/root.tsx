import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useSyncExternalStore } from 'react';
import { LanguageProvider } from '../i18n/index.ts';
import { useChosenLanguage, useSession } from '../platform/index.ts';
import { Toasts, toasts } from '../ui/index.ts';

export function Root(): ReactNode {
  const language = useChosenLanguage();
  const session = useSession();
  const timeZone = session.phase === 'in' ? session.organization?.time_zone : undefined;
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  return (
    <LanguageProvider language={language} {...(timeZone === undefined ? {} : { timeZone })}>
      <Outlet />
      <Toasts toasts={shown} />
    </LanguageProvider>
  );
}
