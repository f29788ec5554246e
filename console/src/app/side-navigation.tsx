import type { ReactNode } from 'react';
import { useWords } from '../i18n/index.ts';
import { Dialog } from '../ui/index.ts';
import { Navigation } from './navigation.tsx';
import { OrganizationSwitch } from './top.tsx';
import { appWords } from './words.ts';

/** The navigation of narrow windows. */
export default function SideNavigation({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(appWords);
  return (
    <Dialog title={t('navigation')} isOpen onClose={onClose} place="side">
      <OrganizationSwitch />
      <Navigation onGo={onClose} />
    </Dialog>
  );
}
