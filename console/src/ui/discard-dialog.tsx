import type { ReactNode } from 'react';
import { useWords } from '../i18n/index.ts';
import { ConfirmDialog } from './dialog.tsx';
import { leaveWords } from './leave-words.ts';

/** Asks before a form that has been filled in is closed. */
export default function DiscardDialog({ onStay, onDiscard }: { onStay(): void; onDiscard(): void }): ReactNode {
  const t = useWords(leaveWords);
  return (
    <ConfirmDialog
      title={t('title')}
      isOpen
      onClose={onStay}
      onConfirm={onDiscard}
      confirm={t('discard')}
      keep={t('stay')}
      danger
    >
      <p>{t('text')}</p>
    </ConfirmDialog>
  );
}
