import { type ReactNode, useMemo, useState } from 'react';
import { useLanguage, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Field } from '../../../ui/index.ts';
import { Picker } from '../../../ui/picker.tsx';
import { COUNTRY_WIDTH, fit, isSeen, seenAt, type View } from '../map-view.ts';
import { KINGDOM, type Place, placeText, pointOf, round } from '../places.ts';
import { isShortLink, readCoordinates } from '../read-coordinates.ts';
import { branchesWords } from '../words.ts';
import {
  branchPlace,
  cityOf,
  findPlaces,
  GAZETTEER,
  type NamedPlace,
  nearestPlace,
  type PlaceKind,
} from './gazetteer.ts';
import { PickMap } from './pick-map.tsx';
import './place-picker.css';
import { locationOf, type PlaceText } from './place-text.ts';
import { placePickerWords } from './words.ts';

/** How much is shown around a place of this kind, in units of the map (about 2 km). */
const WIDTHS: Record<PlaceKind, number> = { region: 300, city: 24, district: 5, branch: 5 };
/** The service's limit. The branches of larger organizations beyond it are not offered in the search. */
const MOST_BRANCHES = 100;
const CITY_CHARACTERS = 500;

type Props = {
  value: PlaceText;
  onChange(value: PlaceText): void;
  /** Show what is wrong with the coordinates: after a try to save. */
  isTried: boolean;
  /** The branch whose place it is, which the search leaves out. */
  branchId?: string;
};

/** The location of a branch: found by name, picked on the map, or typed and pasted as coordinates. */
export function PlacePicker({ value, onChange, isTried, branchId }: Props): ReactNode {
  const t = useWords(placePickerWords);
  const words = useWords(branchesWords);
  const language = useLanguage();
  const location = locationOf(value);
  const pin = location ?? undefined;
  const [view, setView] = useState<View>(() => startView(pin));
  // The city that the picker filled in is replaced by the next one; what the user typed stays.
  const [filledCity, setFilledCity] = useState<string>();
  const branches = useOwnBranches(branchId);

  function take(place: Place, from = nearestPlace(place)): void {
    const city = from === undefined ? undefined : cityOf(from)?.[language];
    const isFree = value.city.trim() === '' || value.city === filledCity;
    if (isFree) setFilledCity(city);
    onChange({
      lat: String(round(place.lat)),
      lon: String(round(place.lon)),
      city: isFree ? (city ?? '') : value.city,
    });
  }
  function show(place: Place, width: number): void {
    setView(fit([pointOf(place)], width));
  }
  /** A pair or a link in one of the fields fills both. */
  function spread(text: string): boolean {
    const place = readCoordinates(text);
    if (place === undefined) return false;
    take(place);
    if (!isSeen(seenAt(pointOf(place), view))) show(place, WIDTHS.city);
    return true;
  }
  const coordinate = (field: 'lat' | 'lon') => ({
    value: value[field],
    onChange: (text: string) => onChange({ ...value, [field]: text }),
    onPaste: (event: { clipboardData: DataTransfer; preventDefault(): void }) => {
      if (spread(event.clipboardData.getData('text'))) event.preventDefault();
    },
    onBlur: () => {
      if (!spread(value[field]) && pin !== undefined && !isSeen(seenAt(pointOf(pin), view))) show(pin, WIDTHS.city);
    },
    ltr: true,
    maxLength: 2000,
  });
  const error = isShortLink(value.lat) || isShortLink(value.lon) ? t('shortLink') : undefined;
  const isWrong = isTried && location === undefined;
  return (
    <div className="place-picker">
      <div className="place-picker-fields">
        <PlaceSearch
          branches={branches}
          onChoose={(place) => {
            take(place, place);
            show(place, WIDTHS[place.kind]);
          }}
        />
        <div className="place-picker-pair">
          <Field label={t('latitude')} {...coordinate('lat')} isInvalid={isWrong} />
          <Field label={t('longitude')} {...coordinate('lon')} isInvalid={isWrong} />
        </div>
        {error === undefined && !isWrong ? (
          <p className="ui-hint">{t('coordinatesHint')}</p>
        ) : (
          <p role="alert" className="ui-error-text">
            {error ?? t('wrong')}
          </p>
        )}
        <Field
          label={words('city')}
          value={value.city}
          onChange={(city) => onChange({ ...value, city })}
          maxLength={CITY_CHARACTERS}
        />
      </div>
      <div className="place-picker-map">
        <PickMap view={view} onShow={setView} pin={pin} onPick={(place) => take(place)} branches={branches} />
        <p className="soft small" aria-live="polite">
          {usePinText(pin)}
        </p>
      </div>
    </div>
  );
}

function startView(pin: Place | undefined): View {
  return pin === undefined ? fit(KINGDOM.map(pointOf), COUNTRY_WIDTH) : fit([pointOf(pin)], WIDTHS.city);
}

function useOwnBranches(branchId: string | undefined): NamedPlace[] {
  const { data } = useRead('listBranches', { query: { page: 1, limit: MOST_BRANCHES, sort: 'name_en' } });
  return useMemo(
    () => (data?.data ?? []).filter(({ id }) => id !== branchId).flatMap((branch) => branchPlace(branch) ?? []),
    [data, branchId],
  );
}

function PlaceSearch(props: { branches: readonly NamedPlace[]; onChoose(place: NamedPlace): void }): ReactNode {
  const t = useWords(placePickerWords);
  const language = useLanguage();
  const { branches, onChoose } = props;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<NamedPlace>();
  const all = useMemo(() => [...branches, ...GAZETTEER], [branches]);
  const found = useMemo(() => findPlaces(text, all), [text, all]);
  const option = (place: NamedPlace) => ({
    id: place.id,
    text: place[language],
    note: noteOf(place),
  });
  function noteOf({ kind, within }: NamedPlace): string {
    return within === undefined
      ? t(`kind.${kind}`)
      : t('inside', { kind: t(`kind.${kind}`), within: within[language] });
  }
  return (
    <Picker
      label={t('search')}
      placeholder={t('searchPlaceholder')}
      chosen={chosen === undefined ? undefined : option(chosen)}
      options={found.map(option)}
      onText={setText}
      onChoose={(wanted) => {
        const place = wanted === undefined ? undefined : all.find(({ id }) => id === wanted.id);
        setChosen(place);
        if (place !== undefined) onChoose(place);
      }}
      empty={text === '' ? t('searchEmpty') : t('searchNothing')}
    />
  );
}

/** The pin in words, read out when it moves. */
function usePinText(pin: Place | undefined): string {
  const t = useWords(placePickerWords);
  const language = useLanguage();
  if (pin === undefined) return t('noPin');
  // Isolated: in Arabic text the two numbers would change places.
  const place = `\u2066${placeText(pin)}\u2069`;
  const near = nearestPlace(pin);
  if (near !== undefined) {
    const city = near.kind === 'district' ? cityOf(near) : undefined;
    return t('pinNear', { place, name: [near[language], city?.[language]].filter(Boolean).join(t('comma')) });
  }
  return isSeen(seenAt(pointOf(pin), startView(undefined))) ? t('pinAt', { place }) : t('pinOutside', { place });
}
