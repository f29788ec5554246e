import type { Schemas } from '@dukkan/sdk';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useExplainError, useMay, useOrganization } from '../../platform/index.ts';
import { InPlace } from '../../ui/in-place.tsx';
import { Button, Card, Facts, Select, showToast } from '../../ui/index.ts';
import { type BranchStatus, STATUSES } from './branch-search.ts';
import { placePickerWords } from './place-picker/words.ts';
import { placeText } from './places.ts';
import { useChangeBranch } from './use-change-branch.ts';
import { branchesWords } from './words.ts';

const PlaceDialog = lazy(() => import('./place-picker/place-dialog.tsx'));

/** Time zones of the region; a branch with another one keeps it. */
const TIME_ZONES = [
  'Asia/Riyadh',
  'Asia/Dubai',
  'Asia/Kuwait',
  'Asia/Qatar',
  'Asia/Bahrain',
  'Asia/Muscat',
  'Asia/Amman',
  'Africa/Cairo',
  'Europe/London',
];

export function BranchFacts({ branch }: { branch: Schemas['Branch'] }): ReactNode {
  const t = useWords(branchesWords);
  const { date, hijri } = useFormat();
  const isReadOnly = !useMay()('update:Branches');
  const { change, dialog } = useChangeBranch(branch);
  const { location } = branch;
  const text = (
    field: 'name_ar' | 'name_en' | 'email' | 'google_maps_id' | 'apple_maps_id',
    what: string,
    ltr = false,
  ) =>
    [
      what,
      <InPlace
        key={field}
        label={what}
        value={branch[field]}
        empty={isReadOnly ? '—' : t('add')}
        ltr={ltr}
        isReadOnly={isReadOnly}
        onSave={(value) => change({ [field]: value === '' ? null : value })}
      />,
    ] as const;
  return (
    <Card title={t('facts')}>
      <div className="branch-facts">
        <Facts
          facts={[
            text('name_ar', t('nameAr')),
            text('name_en', t('nameEn')),
            [
              t('code'),
              <span key="code" className="ltr">
                {branch.iv_id}
              </span>,
            ],
            [t('status'), <StatusFact change={change} key="status" branch={branch} isReadOnly={isReadOnly} />],
            [t('active'), <ActiveFact change={change} key="active" branch={branch} isReadOnly={isReadOnly} />],
            text('email', t('email'), true),
            [t('place'), <PlaceFact key="place" branch={branch} isReadOnly={isReadOnly} />],
            location === null
              ? undefined
              : [
                  t('city'),
                  <InPlace
                    key="city"
                    label={t('city')}
                    value={location.city ?? ''}
                    empty={isReadOnly ? '—' : t('add')}
                    isReadOnly={isReadOnly}
                    onSave={(city) =>
                      change({ location: { lat: location.lat, lon: location.lon, ...(city !== '' && { city }) } })
                    }
                  />,
                ],
            [t('timeZone'), <ZoneFact change={change} key="zone" branch={branch} isReadOnly={isReadOnly} />],
            text('google_maps_id', t('googleMaps'), true),
            text('apple_maps_id', t('appleMaps'), true),
            [t('created'), date(branch.created)],
            [t('hijri'), hijri(branch.created)],
          ]}
        />
      </div>
      {dialog}
    </Card>
  );
}

type ChangeBranch = ReturnType<typeof useChangeBranch>['change'];
type FactProps = { branch: Schemas['Branch']; isReadOnly: boolean; change: ChangeBranch };

/** A choice is saved at once, without confirmation. */
function useSaveChoice(change: ChangeBranch) {
  const explain = useExplainError();
  return (wanted: Parameters<ChangeBranch>[0]) =>
    void change(wanted).catch((error: unknown) => {
      const { title, hint } = explain(error);
      showToast({ tone: 'bad', text: title, detail: hint });
    });
}

function StatusFact({ branch, isReadOnly, change }: FactProps): ReactNode {
  const t = useWords(branchesWords);
  const save = useSaveChoice(change);
  if (isReadOnly) return t(`status.${branch.status}`);
  return (
    <Select<BranchStatus>
      label={t('status')}
      hideLabel
      value={branch.status}
      onChange={(status) => save({ status })}
      options={STATUSES.map((value) => ({ value, text: t(`status.${value}`) }))}
    />
  );
}

function ActiveFact({ branch, isReadOnly, change }: FactProps): ReactNode {
  const t = useWords(branchesWords);
  const save = useSaveChoice(change);
  if (isReadOnly) return t(`active.${branch.active}`);
  return (
    <Select<'true' | 'false'>
      label={t('active')}
      hideLabel
      value={`${branch.active}`}
      onChange={(value) => save({ active: value === 'true' })}
      options={(['true', 'false'] as const).map((value) => ({ value, text: t(`active.${value}`) }))}
    />
  );
}

function ZoneFact({ branch, isReadOnly, change }: FactProps): ReactNode {
  const t = useWords(branchesWords);
  const { time_zone: zone } = branch;
  const { time_zone: ours } = useOrganization();
  const save = useSaveChoice(change);
  if (isReadOnly) return zone ?? t('timeZoneOf', { zone: ours });
  const others = zone === null || TIME_ZONES.includes(zone) ? TIME_ZONES : [zone, ...TIME_ZONES];
  return (
    <Select
      label={t('timeZone')}
      hideLabel
      value={zone ?? 'ours'}
      onChange={(value) => save({ time_zone: value === 'ours' ? null : value })}
      options={[
        { value: 'ours', text: t('timeZoneOf', { zone: ours }) },
        ...others.map((value) => ({ value, text: value })),
      ]}
    />
  );
}

function PlaceFact({ branch, isReadOnly }: { branch: Schemas['Branch']; isReadOnly: boolean }): ReactNode {
  const t = useWords(branchesWords);
  const picker = useWords(placePickerWords);
  // The version at the time of opening: the page reads the branch again every minute, and the dialog must find what changed since.
  const [edited, setEdited] = useState<Schemas['Branch']>();
  const { location } = branch;
  return (
    <>
      {location === null ? (
        <span className="soft">{t('noPlace')}</span>
      ) : (
        <>
          <span className="ltr">{placeText(location)}</span>
          <div className="small">
            <a
              className="branch-link"
              href={`https://www.google.com/maps?q=${location.lat},${location.lon}`}
              target="_blank"
              rel="noreferrer"
            >
              {t('openInMaps')}
            </a>
          </div>
        </>
      )}
      {!isReadOnly && (
        <div className="branch-place-button">
          <Button size="small" icon="pin" onPress={() => setEdited(branch)}>
            {picker(location === null ? 'choose' : 'change')}
          </Button>
        </div>
      )}
      <Suspense>
        {edited !== undefined && <PlaceDialog branch={edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
    </>
  );
}
