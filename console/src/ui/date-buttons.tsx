import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { commonWords, useWords } from '../i18n/index.ts';
import { Icon } from './icon.tsx';

const LOOK = { className: 'ui-button', 'data-look': 'quiet', 'data-size': 'small', 'data-icon-only': true } as const;

/** The buttons at the end of a date field: clear it, open its calendar. */
export function DateButtons({ onClear }: { onClear: (() => void) | undefined }): ReactNode {
  const t = useWords(commonWords);
  return (
    <>
      {onClear !== undefined && (
        // Without `slot={null}` the group would use this button to open the calendar.
        <AriaButton {...LOOK} slot={null} aria-label={t('clear')} onPress={onClear}>
          <Icon name="close" />
        </AriaButton>
      )}
      <AriaButton {...LOOK} aria-label={t('openCalendar')}>
        <Icon name="calendar" />
      </AriaButton>
    </>
  );
}
