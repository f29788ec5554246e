import { lazy, type ReactNode, Suspense, useState } from 'react';
import { commonWords, orderWords, useWords } from '../../i18n/index.ts';
import { Button, Segments } from '../../ui/index.ts';
import { PopoverButton } from '../../ui/popover.tsx';
import { FILTER_STATUSES, type FilterProps, STATES } from './order-search.ts';
import { ordersWords } from './words.ts';

// Loaded when they are needed.
const DateRange = lazy(async () => ({ default: (await import('../../ui/date-range.tsx')).DateRange }));
const MoreFilters = lazy(() => import('./more-filters.tsx'));

const STATUS_WORDS = {
  RECEIVED: 'status.received',
  READY_FOR_PICKUP: 'status.ready_for_pickup',
  DISPATCHED: 'status.dispatched',
  DELIVERED: 'status.delivered',
  CANCELLED: 'status.cancelled',
} as const;

export function OrderFilters({ search, onFilter }: FilterProps): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const status = useWords(orderWords);
  return (
    <>
      <Segments
        label={t('status')}
        value={search.state ?? search.status ?? 'all'}
        onChange={(value) =>
          onFilter({
            state: STATES.find((state) => state === value),
            status: FILTER_STATUSES.find((stored) => stored === value),
          })
        }
        options={[
          { value: 'all' as const, text: common('all') },
          ...STATES.map((value) => ({ value, text: t(value) })),
          ...FILTER_STATUSES.map((value) => ({ value, text: status(STATUS_WORDS[value]) })),
        ]}
      />
      <Dates search={search} onFilter={onFilter} />
      <MoreButton search={search} onFilter={onFilter} />
    </>
  );
}

/** A button until days are wanted: the fields and the calendar cost 45 ms of the first load and 29 kB. */
function Dates({ search, onFilter }: FilterProps): ReactNode {
  const t = useWords(ordersWords);
  const [isWanted, setWanted] = useState(false);
  const { from, to } = search;
  const days = from !== undefined && to !== undefined ? { from, to } : undefined;
  if (days === undefined && !isWanted) {
    return (
      <Button icon="calendar" aria-haspopup="dialog" onPress={() => setWanted(true)}>
        {t('dates')}
      </Button>
    );
  }
  return (
    <Suspense fallback={<span className="ui-date-group orders-dates" />}>
      <DateRange
        label={t('dates')}
        value={days}
        opensAtOnce={isWanted}
        onChange={(next) => onFilter({ from: next?.from, to: next?.to })}
      />
    </Suspense>
  );
}

/** The button shows how many of them are set. */
function MoreButton({ search, onFilter }: FilterProps): ReactNode {
  const t = useWords(ordersWords);
  const { channel, branch, payment, tag, min, max } = search;
  const set = [channel, branch, payment, tag, min ?? max].filter((value) => value !== undefined).length;
  const label = set === 0 ? t('moreFilters') : t('filtersSet', { count: set });
  return (
    <PopoverButton label={label} icon="filter" note={label}>
      {(close) => (
        <Suspense>
          <MoreFilters search={search} onFilter={onFilter} onClose={close} />
        </Suspense>
      )}
    </PopoverButton>
  );
}
