import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useMay, useOrganization, useRead, useReadAgain } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  Facts,
  Loaded,
  Notice,
  Page,
  showToast,
} from '../../ui/index.ts';
import { AppSettings } from './app-settings.tsx';
import './apps.css';
import { AppTile } from './app-tile.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { type CatalogApp, type Install, installTone, stagedTone } from './families.ts';
import { HealthCard } from './health-card.tsx';
import { LastReceived } from './last-received.tsx';
import { useInstalls } from './use-install-name.ts';
import { appsWords } from './words.ts';

const route = getRouteApi('/in/apps/$id');
const LATEST = 6;

export function AppPage(): ReactNode {
  const t = useWords(appsWords);
  const { id } = route.useParams();
  const installs = useRead('listApps', {});
  const catalog = useRead('listAppCatalog', {}, { staleTime: 60_000 });
  return (
    <Loaded of={installs} rows={8}>
      {({ data }) => {
        const install = data.find((row) => row.id === id);
        if (install === undefined) {
          const back = (
            <Link to="/apps" className="ui-button">
              {t('back')}
            </Link>
          );
          return (
            <Page title={t('noSuchInstall')}>
              <EmptyState icon="apps" title={t('noSuchInstall')} action={back} />
            </Page>
          );
        }
        return (
          <Loaded of={catalog} rows={8}>
            {({ data: apps }) => {
              const app = apps.find(({ app_slug }) => app_slug === install.app_slug);
              return app === undefined ? (
                <EmptyState icon="apps" title={t('noSuchApp')} />
              ) : (
                <OneApp key={install.updated} app={app} install={install} />
              );
            }}
          </Loaded>
        );
      }}
    </Loaded>
  );
}

function OneApp({ app, install }: { app: CatalogApp; install: Install }): ReactNode {
  const t = useWords(appsWords);
  const may = useMay();
  const name = useName();
  const { nameOf } = useInstalls();
  const { dateTime, hijri } = useFormat();
  const isWhole = useOrganization().branch_id === null;
  const title = nameOf(install.id) ?? name(install);
  return (
    <Page
      title={
        <span className="apps-title">
          <AppTile name={name(install)} />
          {title}
          <Badge tone={installTone(install.status)}>{t(`status.${install.status}`)}</Badge>
        </span>
      }
      name={title}
      note={<BackLink to="/apps">{t('back')}</BackLink>}
      tools={
        isWhole && (
          <>
            {isWhole && may('update:Apps') && <Switch install={install} />}
            {isWhole && may('delete:Apps') && <Remove install={install} />}
          </>
        )
      }
    >
      {install.status === 'failing' && <Notice tone="bad">{t('failingHint')}</Notice>}
      {install.status === 'disabled' && <Notice tone="warn">{t('disabledHint')}</Notice>}
      <div className="apps-columns">
        <AppSettings app={app} install={install} isOpen={isWhole && may('update:Apps')} />
        <div className="apps-column">
          <Card title={t('connection')}>
            <div className="apps-fields">
              <CopyField label={t('ingestUrl')} value={ingestUrl(install.id)} hint={t('ingestUrlHint')} />
              {isWhole && may('update:Apps') ? (
                <ConnectionActions install={install} />
              ) : (
                <p className="soft small">{t('tokenGone')}</p>
              )}
              <Facts
                facts={[
                  [t('calls'), t(`inbound.${app.inbound}`)],
                  [t('push'), app.push ? t('pushes') : t('pushesNot')],
                  [t('column.family'), t(`family.${install.family}`)],
                  [t('column.last'), <LastReceived key="last" install={install} />],
                  [t('since'), dateTime(install.created)],
                  [t('hijri'), hijri(install.created)],
                ]}
              />
            </div>
          </Card>
          {isWhole && <HealthCard install={install} />}
          {isWhole && <Latest install={install} />}
        </div>
      </div>
    </Page>
  );
}

/** The page is served by the service itself, so its own origin is where vendors send. */
function ingestUrl(id: string): string {
  return `${window.location.origin}/api/v1/ingest/${id}`;
}

function Switch({ install }: { install: Install }): ReactNode {
  const t = useWords(appsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const move = useMutation({
    mutationFn: () => api.call('changeApp', { path: { id: install.id }, body: { enabled: !install.enabled } }),
    onSuccess: async ({ data }) => {
      showToast({ tone: 'good', text: data.enabled ? t('enabled') : t('disabled') });
      await readAgain('listApps', 'listProviders');
    },
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
  });
  return (
    <Button look={install.enabled ? 'plain' : 'primary'} isPending={move.isPending} onPress={() => move.mutate()}>
      {install.enabled ? t('disable') : t('enable')}
    </Button>
  );
}

function Remove({ install }: { install: Install }): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.call('removeApp', { path: { id: install.id } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('removed', { app: name(install) }) });
      await navigate({ to: '/apps' });
      await readAgain('listApps', 'listAppCatalog', 'listStagedPayloads', 'listProviders');
    },
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button look="danger" onPress={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        title={t('removeTitle', { app: name(install) })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        confirm={t('remove')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('removeText')}</p>
      </ConfirmDialog>
    </>
  );
}

function Latest({ install }: { install: Install }): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const { when } = useFormat();
  const query = { organization_app_id: install.id, limit: LATEST };
  const staged = useRead('listStagedPayloads', { query });
  return (
    <Card
      title={t('latest')}
      tools={
        <Link to="/staging" search={{ app: install.id }}>
          {common('all')}
        </Link>
      }
    >
      <Loaded of={staged} rows={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{t('nothingReceived')}</p>
          ) : (
            <ul className="apps-latest">
              {data.map((row) => (
                <li key={row.id}>
                  <Link to="/staging/$id" params={{ id: row.id }} className="clip">
                    <span className="ltr">{row.external_order_id ?? row.event ?? row.id.slice(-8)}</span>
                  </Link>
                  <Badge tone={stagedTone(row.status)}>{t(`staged.${row.status}`)}</Badge>
                  <span className="soft small">{when(row.received_at)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
