import { parseDate, parseDateTime } from '@internationalized/date';
import type { ReactNode } from 'react';
import { Calendar, CalendarCell, CalendarGrid } from 'react-aria-components/Calendar';
import { DateInput, DatePicker, DateSegment } from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { FieldError } from 'react-aria-components/FieldError';
import { Group } from 'react-aria-components/Group';
import { Heading } from 'react-aria-components/Heading';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { Button } from './button.tsx';
import './calendar.css';
import { DateButtons } from './date-buttons.tsx';

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  onChange(value: string): void;
  /** Shows a button that clears it. */
  clearable?: boolean;
};

/** One day as `2026-11-15`, empty for none. The browser's own field follows the browser's language, not the page's. */
export function DayField(props: Props): ReactNode {
  return <DateField {...props} granularity="day" />;
}

/** A day and a time as `2026-11-15T09:30`, empty for none; in which time zone is up to the form. */
export function DayTimeField(props: Props): ReactNode {
  return <DateField {...props} granularity="minute" />;
}

const MINUTE_CHARACTERS = 'yyyy-mm-ddThh:mm'.length;

function DateField(props: Props & { granularity: 'day' | 'minute' }): ReactNode {
  const { label, hint, error, value, onChange, clearable = false, granularity } = props;
  const parse = granularity === 'day' ? parseDate : parseDateTime;
  return (
    <DatePicker
      className="ui-field"
      granularity={granularity}
      value={value === '' ? null : parse(value)}
      onChange={(chosen) => onChange(chosen === null ? '' : chosen.toString().slice(0, MINUTE_CHARACTERS))}
      validationBehavior="aria"
      isInvalid={error !== undefined}
    >
      <Label className="ui-label">{label}</Label>
      <Group className="ui-date-group">
        <DateInput className="ui-date-input ui-day-input">
          {(segment) => <DateSegment segment={segment} className="ui-date-segment" />}
        </DateInput>
        <DateButtons onClear={clearable && value !== '' ? () => onChange('') : undefined} />
      </Group>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-error-text">{error}</FieldError>
      <Popover className="ui-popover">
        <Dialog className="ui-calendar">
          <Calendar>
            <header>
              <Button slot="previous" look="quiet" size="small" icon="back" />
              <Heading level={2} />
              <Button slot="next" look="quiet" size="small" icon="forward" />
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} className="ui-calendar-cell" />}</CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
