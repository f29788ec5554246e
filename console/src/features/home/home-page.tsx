import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { commonWords, useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { Page, Segments, Skeletons } from '../../ui/index.ts';
import { Alerts } from './alerts.tsx';
import { useLiveSections } from './dashboard.ts';
import { Figures, Now, UpdatedAt } from './figures.tsx';
import { GoalCard } from './goal/goal-card.tsx';
import './home.css';
import { DEFAULT_RANGE, RANGES } from './ranges.ts';
import { Trend } from './trend.tsx';
import { homeWords } from './words.ts';

const route = getRouteApi('/in/');
const Below = lazy(() => import('./below/index.tsx'));
const Work = lazy(() => import('./work/index.tsx'));
const SupportNotice = lazy(() => import('./support/index.tsx'));
const FirstSteps = lazy(() => import('./start/index.tsx'));

/** Current figures and alerts. Each section loads and fails independently. */
export function HomePage(): ReactNode {
  const t = useWords(homeWords);
  const common = useWords(commonWords);
  const may = useMay();
  const organization = useOrganization();
  const { date, hijri, weekday } = useFormat();
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = useNavigate({ from: '/' });
  useLiveSections();
  const today = new Date();
  const mayAnalyse = may('read:Analytics');
  // In a card of fixed height where there is one: between the figures and the chart it moved everything below when it arrived.
  const supportNotice = may('update:Settings') && organization.branch_id === null && (
    <Suspense>
      <SupportNotice />
    </Suspense>
  );
  return (
    <Page
      title={t('title')}
      note={
        <>
          {`${weekday(today)} ${date(today)} · ${hijri(today)}`}
          {mayAnalyse && <UpdatedAt range={range} />}
        </>
      }
      tools={
        mayAnalyse && (
          <Segments
            label={t('range')}
            value={range}
            onChange={(next) => void navigate({ search: next === DEFAULT_RANGE ? {} : { range: next }, replace: true })}
            options={RANGES.map((value) => ({ value, text: t(`range.${value}`) }))}
          />
        )
      }
    >
      {may('read:Orders') && <Now />}
      {may('read:Orders') && <UntilFirstOrder />}
      {mayAnalyse && (
        <>
          <Figures range={range} />
          <div className="home-columns">
            <div className="home-column">
              <Trend range={range} />
              <GoalCard />
            </div>
            <div className="home-column">
              <Alerts range={range} first={supportNotice} />
            </div>
          </div>
        </>
      )}
      {!mayAnalyse && supportNotice}
      <Suspense fallback={<Skeletons rows={8} label={common('loading')} />}>
        {mayAnalyse ? <Below range={range} /> : <Work />}
      </Suspense>
    </Page>
  );
}

function UntilFirstOrder(): ReactNode {
  const counts = useRead('readOrdersDashboard', {}).data?.by_status;
  const isNew = counts !== undefined && Object.values(counts).every((count) => count === 0);
  return (
    isNew && (
      <Suspense>
        <FirstSteps />
      </Suspense>
    )
  );
}
