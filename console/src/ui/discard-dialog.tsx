import type { ReactNode } from 'react';
import { useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { leaveWords } from './leave-words.ts';
import { ModalFrame } from './modal-frame.tsx';

/** Asks before a form that has been filled in is closed. */
export default function DiscardDialog({ onStay, onDiscard }: { onStay(): void; onDiscard(): void }): ReactNode {
  const t = useWords(leaveWords);
  return (
    <ModalFrame
      title={t('title')}
      isOpen
      onClose={onStay}
      foot={
        <>
          <Button onPress={onStay}>{t('stay')}</Button>
          <Button look="danger" onPress={onDiscard}>
            {t('discard')}
          </Button>
        </>
      }
    >
      <p>{t('text')}</p>
    </ModalFrame>
  );
}
