import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, orderWords, useChannelName, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { useBranchList } from '../../ui/branch-names.ts';
import { Button, Field, Select } from '../../ui/index.ts';
import { amountText, type FilterProps, type OrdersSearch, PAYMENTS, readAmount } from './order-search.ts';
import { TagSelect } from './tags/tag-select.tsx';
import { ordersWords } from './words.ts';

/** Channel, branch, payment, tag and amount. Loaded when the popover opens. */
export default function MoreFilters({ search, onFilter, onClose }: FilterProps & { onClose(): void }): ReactNode {
  return (
    <div className="orders-filters">
      <ChannelSelect search={search} onFilter={onFilter} />
      <BranchSelect search={search} onFilter={onFilter} />
      <PaymentSelect search={search} onFilter={onFilter} />
      <TagSelect tag={search.tag} onTag={(chosen) => onFilter({ tag: chosen })} />
      <Amounts
        search={search}
        onFilter={(change) => {
          onFilter(change);
          onClose();
        }}
      />
    </div>
  );
}

const ANY = '';

function ChannelSelect({ search, onFilter }: FilterProps): ReactNode {
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
function BranchSelect({ search, onFilter }: FilterProps): ReactNode {
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

function PaymentSelect({ search, onFilter }: FilterProps): ReactNode {
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

function Amounts({ search, onFilter }: FilterProps): ReactNode {
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
