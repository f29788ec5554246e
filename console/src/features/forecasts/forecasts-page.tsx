import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization } from '../../platform/index.ts';
import { Button, Page, SearchField, Segments, Select, Tabs } from '../../ui/index.ts';
import { ConsumptionTable } from './consumption-table.tsx';
import { ExportDemand } from './export-demand.tsx';
import { type ForecastsSearch, RANGES, type Tab } from './forecast-search.ts';
import './forecasts.css';
import { OrderTable } from './order-table.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { Uploads } from './uploads.tsx';
import { useBranchNames } from './use-branch-names.ts';
import { forecastsWords } from './words.ts';

const route = getRouteApi('/in/forecasts');
const TYPING_MS = 250;

export function ForecastsPage(): ReactNode {
  const t = useWords(forecastsWords);
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/forecasts' });
  const [isSetting, setSetting] = useState(false);

  /** Every other filter begins at the first page again. */
  const filter = (change: { [Key in keyof ForecastsSearch]?: ForecastsSearch[Key] | undefined }) =>
    void navigate({
      search: ({ page: _, ...before }) => withoutAbsent({ ...before, ...change }),
      replace: true,
    });
  const turn = (page: number) =>
    void navigate({ search: (before) => withoutAbsent({ ...before, page: page > 1 ? page : undefined }) });
  const mayUpload = isWhole && may('import:Analytics');
  const toUpload = () => filter({ tab: 'upload' });
  const filters = <Filters search={search} onFilter={filter} />;
  const tabs: { id: Tab; title: string; content: ReactNode }[] = [
    {
      id: 'order',
      title: t('tab.order'),
      content: (
        <div className="forecasts-tab">
          {filters}
          <OrderTable search={search} onPage={turn} {...(mayUpload && { onUpload: toUpload })} />
        </div>
      ),
    },
    {
      id: 'consumption',
      title: t('tab.consumption'),
      content: (
        <div className="forecasts-tab">
          {filters}
          <ConsumptionTable search={search} onPage={turn} />
        </div>
      ),
    },
  ];
  if (mayUpload) tabs.push({ id: 'upload', title: t('tab.upload'), content: <Uploads /> });
  const tab = tabs.some(({ id }) => id === search.tab) ? (search.tab as Tab) : 'order';
  return (
    <Page
      title={t('title')}
      note={t('note')}
      tools={
        <>
          {may('export:Analytics') && <ExportDemand />}
          {isWhole && may('update:Analytics') && (
            <Button icon="settings" onPress={() => setSetting(true)}>
              {t('settings')}
            </Button>
          )}
        </>
      }
    >
      <Tabs
        label={t('title')}
        tabs={tabs}
        selected={tab}
        onSelect={(id) => id !== tab && filter({ tab: id === 'order' ? undefined : (id as Tab) })}
      />
      {isSetting && <SettingsDialog onClose={() => setSetting(false)} />}
    </Page>
  );
}

function Filters(props: {
  search: ForecastsSearch;
  onFilter(change: { [Key in keyof ForecastsSearch]?: ForecastsSearch[Key] | undefined }): void;
}): ReactNode {
  const t = useWords(forecastsWords);
  const common = useWords(commonWords);
  const { list } = useBranchNames();
  const { search, onFilter } = props;
  const isFiltered = search.search !== undefined || search.branch !== undefined;
  return (
    <search className="forecasts-filters">
      <SearchBox text={search.search ?? ''} onText={(text) => onFilter({ search: text === '' ? undefined : text })} />
      {list.length > 1 && (
        <Select
          label={t('branch')}
          hideLabel
          value={search.branch ?? ''}
          onChange={(branch) => onFilter({ branch: branch === '' ? undefined : branch })}
          options={[{ value: '', text: t('allBranches') }, ...list]}
        />
      )}
      {search.tab === 'consumption' && (
        <Segments
          label={t('range')}
          value={search.range ?? '30'}
          onChange={(range) => onFilter({ range: range === '30' ? undefined : range })}
          options={RANGES.map((value) => ({ value, text: t('days', { count: Number(value) }) }))}
        />
      )}
      {isFiltered && (
        <Button look="quiet" onPress={() => onFilter({ search: undefined, branch: undefined })}>
          {common('clearFilters')}
        </Button>
      )}
    </search>
  );
}

/** Asks when the typing pauses, and follows the address when that changes by other means. */
function SearchBox({ text, onText }: { text: string; onText(text: string): void }): ReactNode {
  const t = useWords(forecastsWords);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return <SearchField label={t('searchLabel')} placeholder={t('search')} value={typed} onChange={setTyped} />;
}

function withoutAbsent(search: { [Key in keyof ForecastsSearch]: ForecastsSearch[Key] | undefined }): ForecastsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
