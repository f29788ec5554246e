import type { ReactNode } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { useExplainError } from '../platform/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const ICONS = { offline: 'offline', forbidden: 'lock', missing: 'empty', other: 'alert' } as const;

/** What could not be loaded, why, and a retry button. It replaces one section, not the page. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const t = useWords(commonWords);
  const { kind, title, hint, requestId } = useExplainError()(error);
  return (
    <div className="ui-state" role="alert">
      <Icon name={ICONS[kind]} />
      <strong>{title}</strong>
      {hint !== undefined && <p>{hint}</p>}
      {kind === 'other' && requestId !== undefined && <p className="small ltr">{t('requestId', { id: requestId })}</p>}
      {onRetry !== undefined && kind !== 'forbidden' && <Button onPress={onRetry}>{t('retry')}</Button>}
    </div>
  );
}
