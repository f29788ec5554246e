import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMay } from '../../platform/index.ts';
import { Page, Segments } from '../../ui/index.ts';
import { Activity } from './activity.tsx';
import { Alerts } from './alerts.tsx';
import { useLiveSections } from './dashboard.ts';
import { Figures, Now, UpdatedAt } from './figures.tsx';
import './home.css';
import { DEFAULT_RANGE, RANGES } from './ranges.ts';
import { AtRisk, Channels, Products, Trend } from './sections.tsx';
import { homeWords } from './words.ts';

const route = getRouteApi('/in/');

/** Current figures and alerts. Each section loads and fails independently. */
export function HomePage(): ReactNode {
  const t = useWords(homeWords);
  const may = useMay();
  const { date, hijri, weekday } = useFormat();
  const { range = DEFAULT_RANGE } = route.useSearch();
  const navigate = useNavigate({ from: '/' });
  useLiveSections();
  const today = new Date();
  return (
    <Page
      title={t('title')}
      note={
        <>
          {`${weekday(today)} ${date(today)} · ${hijri(today)}`}
          {may('read:Analytics') && <UpdatedAt range={range} />}
        </>
      }
      tools={
        may('read:Analytics') && (
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
      {may('read:Analytics') && (
        <>
          <Figures range={range} />
          <div className="home-columns">
            <div className="home-column">
              <Trend range={range} />
              <Products range={range} />
              <AtRisk range={range} />
            </div>
            <div className="home-column">
              <Alerts range={range} />
              <Channels range={range} />
              <Activity range={range} />
            </div>
          </div>
        </>
      )}
    </Page>
  );
}
