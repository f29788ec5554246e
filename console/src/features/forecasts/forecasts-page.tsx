import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useMay, useOrganization } from '../../platform/index.ts';
import { Button, Page, Segments, Select, Tabs } from '../../ui/index.ts';
import { ListFilters, type ListSearch, searchFilter, useListSearch } from '../../ui/list/index.ts';
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

export function ForecastsPage(): ReactNode {
  const t = useWords(forecastsWords);
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  const search = route.useSearch();
  const [isSetting, setSetting] = useState(false);

  const list = useListSearch(search, useNavigate({ from: '/forecasts' }), { keep: ['tab', 'range'] });
  const mayUpload = isWhole && may('import:Analytics');
  const toUpload = () => list.filter({ tab: 'upload' });
  const filters = <Filters list={list} />;
  const tabs: { id: Tab; title: string; content: ReactNode }[] = [
    {
      id: 'order',
      title: t('tab.order'),
      content: (
        <div className="forecasts-tab">
          {filters}
          <OrderTable list={list} {...(mayUpload && { onUpload: toUpload })} />
        </div>
      ),
    },
    {
      id: 'consumption',
      title: t('tab.consumption'),
      content: (
        <div className="forecasts-tab">
          {filters}
          <ConsumptionTable list={list} />
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
        onSelect={(id) => id !== tab && list.filter({ tab: id === 'order' ? undefined : (id as Tab) })}
      />
      {isSetting && <SettingsDialog onClose={() => setSetting(false)} />}
    </Page>
  );
}

function Filters({ list }: { list: ListSearch<ForecastsSearch> }): ReactNode {
  const t = useWords(forecastsWords);
  const branches = useBranchNames().list;
  const { search, filter } = list;
  return (
    <ListFilters {...searchFilter(list, { label: t('searchLabel'), placeholder: t('search') })}>
      {branches.length > 1 && (
        <Select
          label={t('branch')}
          hideLabel
          value={search.branch ?? ''}
          onChange={(branch) => filter({ branch })}
          options={[{ value: '', text: t('allBranches') }, ...branches]}
        />
      )}
      {search.tab === 'consumption' && (
        <Segments
          label={t('range')}
          value={search.range ?? '30'}
          onChange={(range) => filter({ range: range === '30' ? undefined : range })}
          options={RANGES.map((value) => ({ value, text: t('days', { count: Number(value) }) }))}
        />
      )}
    </ListFilters>
  );
}
