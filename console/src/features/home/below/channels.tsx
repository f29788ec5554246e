import { type ReactNode, useState } from 'react';
import { Bars } from '../../../charts/index.ts';
import { useChannelName, useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../../platform/index.ts';
import { Card, EmptyState, Loaded, Segments } from '../../../ui/index.ts';
import { useSection } from '../dashboard.ts';
import type { Range } from '../ranges.ts';
import { homeMoreWords } from './words.ts';

const ROWS = 8;
const BY = ['channel', 'branch'] as const;
type By = (typeof BY)[number];

/** Revenue of the range by channel or by branch. */
export function SalesBy({ range }: { range: Range }): ReactNode {
  const t = useWords(homeMoreWords);
  const [by, setBy] = useState<By>('channel');
  const may = useMay();
  const hasBranches = useOrganization().branch_id === null && may('read:Branches');
  return (
    <Card
      title={t('salesBy')}
      tools={
        hasBranches && (
          <Segments<By>
            label={t('salesBy')}
            value={by}
            onChange={setBy}
            options={BY.map((value) => ({ value, text: t(`by.${value}`) }))}
          />
        )
      }
    >
      {by === 'channel' ? <Channels range={range} /> : <Branches range={range} />}
    </Card>
  );
}

function Channels({ range }: { range: Range }): ReactNode {
  const t = useWords(homeMoreWords);
  const channel = useChannelName();
  const { roundMoney, percent } = useFormat();
  const apps = useSection('apps', range);
  return (
    <Loaded of={apps} rows={ROWS}>
      {(rows) =>
        rows === null ? (
          <EmptyState icon="apps" title={t('noChannels')} />
        ) : (
          <Bars
            label={t('by.channel')}
            bars={rows.slice(0, ROWS).map(({ app_slug, revenue, share }) => ({
              id: app_slug,
              title: channel(app_slug),
              value: revenue,
              text: roundMoney(revenue),
              note: percent(share),
            }))}
          />
        )
      }
    </Loaded>
  );
}

function Branches({ range }: { range: Range }): ReactNode {
  const t = useWords(homeMoreWords);
  const name = useName();
  const { roundMoney, percent } = useFormat();
  const branches = useRead('readBranchFigures', { query: { range } }, { staleTime: 60_000, refetchInterval: 60_000 });
  return (
    <Loaded of={branches} rows={ROWS}>
      {({ items, currency }) =>
        items.length === 0 ? (
          <EmptyState icon="branches" title={t('noSales')} />
        ) : (
          <Bars
            label={t('by.branch')}
            bars={items.slice(0, ROWS).map((row) => ({
              id: row.branch_iv_id ?? '',
              title: row.branch_iv_id === null ? t('noBranch') : name(row) || row.branch_iv_id,
              value: row.revenue,
              text: roundMoney(row.revenue, currency),
              note: percent(row.share),
            }))}
          />
        )
      }
    </Loaded>
  );
}
