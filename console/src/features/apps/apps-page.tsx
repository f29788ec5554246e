import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import {
  Badge,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Icon,
  Loaded,
  Notice,
  Page,
  SearchField,
} from '../../ui/index.ts';
import './apps.css';
import { AppTile } from './app-tile.tsx';
import { type CatalogApp, FAMILIES, type Install, installTone } from './families.ts';
import { LastReceived } from './last-received.tsx';
import { useInstalls } from './use-install-name.ts';
import { appsWords } from './words.ts';

/** One page of staged payloads; a larger count is shown as "100+". */
const FAILED_SEEN = 100;

export function AppsPage(): ReactNode {
  const t = useWords(appsWords);
  const isWhole = useOrganization().branch_id === null;
  const failed = useRead(
    'listStagedPayloads',
    { query: { status: 'failed', limit: FAILED_SEEN } },
    { enabled: isWhole },
  );
  const installs = useRead('listApps', {});
  const waiting = failed.data?.total_count ?? 0;
  const failing = installs.data?.data.filter(({ status }) => status === 'failing').length ?? 0;
  return (
    <Page title={t('title')} note={t('intro')}>
      {failing > 0 && <Notice tone="bad">{t('failingApps', { count: failing })}</Notice>}
      {waiting > 0 && (
        <Notice tone="warn">
          {t('waiting', { count: waiting })}{' '}
          <Link to="/staging" search={{ status: 'failed' }}>
            {t('openInbox')}
          </Link>
        </Notice>
      )}
      <Card title={t('installed')} flush>
        <Loaded of={installs} rows={6}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon="apps" title={t('empty')} hint={t('emptyHint')} />
            ) : (
              <InstallTable rows={data} failed={failed.data?.data ?? []} />
            )
          }
        </Loaded>
      </Card>
      <Catalog />
    </Page>
  );
}

function InstallTable(props: {
  rows: readonly Install[];
  failed: readonly { organization_app_id: string }[];
}): ReactNode {
  const t = useWords(appsWords);
  const { number } = useFormat();
  const { nameOf } = useInstalls();
  const name = useName();
  const navigate = useNavigate();
  const failedOf = (id: string) => props.failed.filter(({ organization_app_id }) => organization_app_id === id).length;
  const columns: Column<Install>[] = [
    {
      id: 'app',
      title: t('column.app'),
      width: 'minmax(140px, 1.6fr)',
      render: (row) => (
        <span className="apps-name">
          <AppTile name={name(row)} />
          <span className="strong clip">{nameOf(row.id) ?? name(row)}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '110px',
      render: ({ status }) => <Badge tone={installTone(status)}>{t(`status.${status}`)}</Badge>,
    },
    {
      id: 'family',
      title: t('column.family'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ family }) => t(`family.${family}`),
    },
    {
      id: 'failed',
      title: t('column.failed'),
      width: '120px',
      end: true,
      from: 'medium',
      render: ({ id }) => {
        const count = failedOf(id);
        return count === 0 ? <span className="soft">—</span> : <span className="apps-bad">{number(count)}</span>;
      },
    },
    {
      id: 'last',
      title: t('column.last'),
      width: '130px',
      end: true,
      from: 'medium',
      render: (install) => <LastReceived install={install} />,
    },
  ];
  return (
    <DataTable
      label={t('installed')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/apps/$id', params: { id } })}
    />
  );
}

function Catalog(): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  const [text, setText] = useState('');
  const catalog = useRead('listAppCatalog', {}, { staleTime: 60_000 });
  const wanted = text.trim().toLowerCase();
  const fits = (app: CatalogApp) =>
    wanted === '' || [app.name_en, app.name_ar, app.app_slug].some((one) => one.toLowerCase().includes(wanted));
  return (
    <Card title={t('catalog')} tools={<SearchField label={t('searchCatalog')} value={text} onChange={setText} />}>
      <Loaded of={catalog} rows={8}>
        {({ data }) => {
          const shown = FAMILIES.map((family) => ({
            family,
            apps: data
              .filter((app) => app.family === family && fits(app))
              .toSorted((a, b) => name(a).localeCompare(name(b))),
          })).filter(({ apps }) => apps.length > 0);
          if (shown.length === 0) return <EmptyState icon="apps" title={t('nothing')} hint={t('nothingHint')} />;
          return shown.map(({ family, apps }) => (
            <section key={family} className="apps-family" aria-label={t(`family.${family}`)}>
              <h3>{t(`family.${family}`)}</h3>
              <ul className="apps-grid">
                {apps.map((app) => (
                  <li key={app.app_slug}>
                    <CatalogEntry app={app} />
                  </li>
                ))}
              </ul>
            </section>
          ));
        }}
      </Loaded>
    </Card>
  );
}

function CatalogEntry({ app }: { app: CatalogApp }): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  const may = useMay();
  const mayInstall = useOrganization().branch_id === null && may('create:Apps');
  const notes = [t(`inbound.${app.inbound}`), app.push ? t('pushes') : undefined].filter(Boolean).join(' · ');
  return (
    <div className="apps-entry">
      <AppTile name={name(app)} />
      <div className="apps-entry-text">
        <strong>{name(app)}</strong>
        <span className="soft small">{notes}</span>
      </div>
      {app.installed > 0 && <Badge tone="accent">{t('installedCount', { count: app.installed })}</Badge>}
      {mayInstall && !(app.kind === 'bnpl' && app.installed > 0) && (
        <Link
          to="/apps/new/$slug"
          params={{ slug: app.app_slug }}
          className="ui-button"
          data-size="small"
          aria-label={t('installNamed', { app: name(app) })}
        >
          <Icon name="plus" /> {t('install')}
        </Link>
      )}
    </div>
  );
}
