import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, orderWords, useChannelName, useWords } from '../../i18n/index.ts';
import { type SearchChange, useMay, useRead } from '../../platform/index.ts';
import { useBranchList } from '../../ui/branch-names.ts';
import { DateRange } from '../../ui/date-range.tsx';
import { Button, Field, Segments, Select } from '../../ui/index.ts';
import { PopoverButton } from '../../ui/popover.tsx';
import { amountText, FILTER_STATUSES, type OrdersSearch, PAYMENTS, readAmount, STATES } from './order-search.ts';
import { TagSelect } from './tags/tag-select.tsx';
import { ordersWords } from './words.ts';

type Props = { search: OrdersSearch; onFilter(change: SearchChange<OrdersSearch>): void };

const STATUS_WORDS = {
  RECEIVED: 'status.received',
  READY_FOR_PICKUP: 'status.ready_for_pickup',
  DISPATCHED: 'status.dispatched',
  DELIVERED: 'status.delivered',
  CANCELLED: 'status.cancelled',
} as const;

export function OrderFilters({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const status = useWords(orderWords);
  const { from, to } = search;
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
      <DateRange
        label={t('dates')}
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        onChange={(days) => onFilter({ from: days?.from, to: days?.to })}
      />
      <MoreFilters search={search} onFilter={onFilter} />
    </>
  );
}

/** Channel, branch, payment, tag and amount. The button shows how many of them are set. */
function MoreFilters({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const { channel, branch, payment, tag, min, max } = search;
  const set = [channel, branch, payment, tag, min ?? max].filter((value) => value !== undefined).length;
  return (
    <PopoverButton
      label={set === 0 ? t('moreFilters') : t('filtersSet', { count: set })}
      icon="filter"
      note={set === 0 ? t('moreFilters') : t('filtersSet', { count: set })}
    >
      {(close) => (
        <div className="orders-filters">
          <ChannelSelect search={search} onFilter={onFilter} />
          <BranchSelect search={search} onFilter={onFilter} />
          <PaymentSelect search={search} onFilter={onFilter} />
          <TagSelect tag={tag} onTag={(chosen) => onFilter({ tag: chosen })} />
          <Amounts
            search={search}
            onFilter={(change) => {
              onFilter(change);
              close();
            }}
          />
        </div>
      )}
    </PopoverButton>
  );
}

const ANY = '';

function ChannelSelect({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const name = useChannelName();
  const may = useMay();
  const installs = useRead('listApps', {}, { enabled: may('read:Apps') });
  const slugs = new Set(['till', 'api', ...(installs.data?.data ?? []).map(({ app_slug }) => app_slug)]);
  if (search.channel !== undefined) slugs.add(search.channel);
  const options = Array.from(slugs, (slug) => ({ value: slug, text: name(slug) }));
  return (
    <Select
      label={t('channel')}
      value={search.channel ?? ANY}
      onChange={(value) => onFilter({ channel: value || undefined })}
      options={[
        { value: ANY, text: common('all') },
        ...options.toSorted((one, other) => one.text.localeCompare(other.text)),
      ]}
    />
  );
}

/** An account that is confined to a branch has only that one. */
function BranchSelect({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const branches = useBranchList();
  if (branches.length < 2) return null;
  return (
    <Select
      label={t('branch')}
      value={search.branch ?? ANY}
      onChange={(value) => onFilter({ branch: value || undefined })}
      options={[{ value: ANY, text: common('all') }, ...branches.map(({ id, name }) => ({ value: id, text: name }))]}
    />
  );
}

function PaymentSelect({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const words = useWords(orderWords);
  return (
    <Select<NonNullable<OrdersSearch['payment']> | typeof ANY>
      label={t('payment')}
      value={search.payment ?? ANY}
      onChange={(value) => onFilter({ payment: value || undefined })}
      options={[
        { value: ANY, text: common('all') },
        ...PAYMENTS.map((value) => ({ value, text: words(`payment.${value}`) })),
      ]}
    />
  );
}

function Amounts({ search, onFilter }: Props): ReactNode {
  const t = useWords(ordersWords);
  const [min, setMin] = useState(amountText(search.min));
  const [max, setMax] = useState(amountText(search.max));
  const [isWrong, setWrong] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const [least, most] = [readAmount(min), readAmount(max)];
    const isInvalid = (min.trim() !== '' && least === undefined) || (max.trim() !== '' && most === undefined);
    const isReversed = least !== undefined && most !== undefined && least > most;
    setWrong(isInvalid || isReversed);
    if (!isInvalid && !isReversed) onFilter({ min: least, max: most });
  }
  return (
    <form className="orders-amounts" onSubmit={submit} noValidate>
      <Field label={t('minAmount')} value={min} onChange={setMin} inputMode="decimal" ltr />
      <Field label={t('maxAmount')} value={max} onChange={setMax} inputMode="decimal" ltr />
      {isWrong && (
        <p className="ui-error-text" role="alert">
          {t('wrongAmounts')}
        </p>
      )}
      <Button type="submit">{t('applyAmounts')}</Button>
    </form>
  );
}
