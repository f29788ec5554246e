import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../i18n/index.ts';
import { currentSession } from '../platform/index.ts';
import DiscardDialog from './discard-dialog.tsx';
import { leaveWords } from './leave-words.ts';
import { Notice } from './parts.tsx';

/** Asks before a page with unsaved changes is left, also when the tab is closed. Not at the end of a session: the draft stays. */
export function LeaveGuard({ isDirty, onDiscard }: { isDirty: boolean; onDiscard?: () => void }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && currentSession().phase === 'in',
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <DiscardDialog
      onStay={reset}
      onDiscard={() => {
        onDiscard?.();
        proceed();
      }}
    />
  );
}

/** Says that a form continues an earlier, unfinished one. */
export function RestoredNotice({ isShown }: { isShown: boolean }): ReactNode {
  const t = useWords(leaveWords);
  return isShown && <Notice tone="info">{t('restored')}</Notice>;
}
