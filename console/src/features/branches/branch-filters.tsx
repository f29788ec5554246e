import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { commonWords, useLanguage, useWords } from '../../i18n/index.ts';
import { Button, Checkbox, Field, SearchField, Select, showToast } from '../../ui/index.ts';
import { type BranchesSearch, type BranchStatus, DEFAULT_RADIUS, RADIUSES, STATUSES } from './branch-search.ts';
import { cityAt, placeText, readPlace, round } from './places.ts';
import { branchesWords } from './words.ts';

const TYPING_MS = 250;

type Change = { [Key in keyof BranchesSearch]?: BranchesSearch[Key] | undefined };

export function BranchFilters(props: {
  search: BranchesSearch;
  onFilter(change: Change): void;
  isFiltered: boolean;
}): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const { search, onFilter, isFiltered } = props;
  return (
    <search className="branches-filters">
      <SearchBox text={search.search ?? ''} onText={(text) => onFilter({ search: text === '' ? undefined : text })} />
      <Select<BranchStatus | 'all'>
        label={t('status')}
        hideLabel
        value={search.status ?? 'all'}
        onChange={(value) => onFilter({ status: value === 'all' ? undefined : value })}
        options={[
          { value: 'all', text: `${t('status')}: ${common('all')}` },
          ...STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
        ]}
      />
      <NearPlace near={search.near} km={search.km} onFilter={onFilter} />
      <Checkbox isSelected={search.open === 'now'} onChange={(isOn) => onFilter({ open: isOn ? 'now' : undefined })}>
        {t('openNow')}
      </Checkbox>
      {isFiltered && (
        <Button
          look="quiet"
          onPress={() =>
            onFilter({ search: undefined, status: undefined, open: undefined, near: undefined, km: undefined })
          }
        >
          {common('clearFilters')}
        </Button>
      )}
    </search>
  );
}

function SearchBox({ text, onText }: { text: string; onText(text: string): void }): ReactNode {
  const t = useWords(branchesWords);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return <SearchField label={t('searchLabel')} placeholder={t('search')} value={typed} onChange={setTyped} />;
}

/** A place by city, coordinates, the link of a map, or where one is. */
function NearPlace(props: {
  near: string | undefined;
  km: number | undefined;
  onFilter(change: Change): void;
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
