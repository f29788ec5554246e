import { type CalendarDate, parseDate } from '@internationalized/date';
import type { ReactNode } from 'react';
import { DateInput, DateRangePicker, DateSegment } from 'react-aria-components/DateRangePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { Heading } from 'react-aria-components/Heading';
import { Popover } from 'react-aria-components/Popover';
import { CalendarCell, CalendarGrid, RangeCalendar } from 'react-aria-components/RangeCalendar';
import { Button } from './button.tsx';
import './calendar.css';
import { DateButtons } from './date-buttons.tsx';

export type Days = { from: string; to: string };

/** Two days as `2026-11-15`, both included; undefined for any day. */
export function DateRange(props: {
  label: string;
  value: Days | undefined;
  onChange(days: Days | undefined): void;
  /** With its calendar open, for a field that a button stood for. */
  opensAtOnce?: boolean;
}): ReactNode {
  const { label, value, onChange, opensAtOnce = false } = props;
  const range = value === undefined ? null : { start: parseDate(value.from), end: parseDate(value.to) };
  return (
    <DateRangePicker
      aria-label={label}
      defaultOpen={opensAtOnce}
      value={range}
      onChange={(next: { start: CalendarDate; end: CalendarDate } | null) =>
        onChange(next === null ? undefined : { from: next.start.toString(), to: next.end.toString() })
      }
    >
      <Group className="ui-date-group">
        <DateInput slot="start" className="ui-date-input">
          {(segment) => <DateSegment segment={segment} className="ui-date-segment" />}
        </DateInput>
        <span aria-hidden="true">–</span>
        <DateInput slot="end" className="ui-date-input">
          {(segment) => <DateSegment segment={segment} className="ui-date-segment" />}
        </DateInput>
        <DateButtons onClear={value === undefined ? undefined : () => onChange(undefined)} />
      </Group>
      <Popover className="ui-popover">
        <Dialog className="ui-calendar">
          <RangeCalendar>
            <header>
              <Button slot="previous" look="quiet" size="small" icon="back" />
              <Heading level={2} />
              <Button slot="next" look="quiet" size="small" icon="forward" />
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} className="ui-calendar-cell" />}</CalendarGrid>
          </RangeCalendar>
        </Dialog>
      </Popover>
    </DateRangePicker>
  );
}
