import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { commonWords, useLanguage, useWords } from '../../i18n/index.ts';
import type { SearchChange } from '../../platform/index.ts';
import { Button, Checkbox, Field, Select, showToast } from '../../ui/index.ts';
import { ListFilters, type ListSearch, searchFilter } from '../../ui/list/index.ts';
import { type BranchesSearch, type BranchStatus, DEFAULT_RADIUS, RADIUSES, STATUSES } from './branch-search.ts';
import { cityAt, placeText, readPlace, round } from './places.ts';
import { branchesWords } from './words.ts';

export function BranchFilters({ list }: { list: ListSearch<BranchesSearch> }): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const { search, filter } = list;
  return (
    <ListFilters {...searchFilter(list, { label: t('searchLabel'), placeholder: t('search') })}>
      <Select<BranchStatus | 'all'>
        label={t('status')}
        hideLabel
        value={search.status ?? 'all'}
        onChange={(value) => filter({ status: value === 'all' ? undefined : value })}
        options={[
          { value: 'all', text: `${t('status')}: ${common('all')}` },
          ...STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
        ]}
      />
      <NearPlace near={search.near} km={search.km} onFilter={filter} />
      <Checkbox isSelected={search.open === 'now'} onChange={(isOn) => filter({ open: isOn ? 'now' : undefined })}>
        {t('openNow')}
      </Checkbox>
    </ListFilters>
  );
}

/** A location by city, coordinates, map link, or the browser's position. */
function NearPlace(props: {
  near: string | undefined;
  km: number | undefined;
  onFilter(change: SearchChange<BranchesSearch>): void;
}): ReactNode {
  const t = useWords(branchesWords);
  const language = useLanguage();
  const { near, km = DEFAULT_RADIUS, onFilter } = props;
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    const place = near === undefined ? undefined : readPlace(near);
    setTyped(place === undefined ? '' : (cityAt(place)?.[language] ?? placeText(place)));
    setUnknown(false);
  }, [near, language]);
  function look(event?: FormEvent): void {
    event?.preventDefault();
    const place = readPlace(typed);
    setUnknown(place === undefined && typed.trim() !== '');
    if (place !== undefined) onFilter({ near: `${place.lat},${place.lon}` });
    else if (typed.trim() === '') onFilter({ near: undefined, km: undefined });
  }
  return (
    <form className="branches-near" onSubmit={look} noValidate>
      <Field
        label={t('near')}
        placeholder={t('nearHint')}
        value={typed}
        onChange={setTyped}
        onBlur={() => typed !== '' && look()}
        error={isUnknown ? t('nearUnknown') : undefined}
      />
      <Button
        icon="pin"
        aria-label={t('nearMe')}
        onPress={() =>
          navigator.geolocation.getCurrentPosition(
            ({ coords }) => onFilter({ near: `${round(coords.latitude)},${round(coords.longitude)}` }),
            () => showToast({ tone: 'info', text: t('nearMeRefused') }),
          )
        }
      />
      {near !== undefined && (
        <Select
          label={t('radius')}
          hideLabel
          value={String(km)}
          onChange={(value) => onFilter({ km: Number(value) })}
          options={RADIUSES.map((value) => ({ value: String(value), text: t('within', { km: value }) }))}
        />
      )}
    </form>
  );
}
