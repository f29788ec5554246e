import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../i18n/index.ts';
import {
  fieldErrors,
  useApi,
  useDraft,
  useExplainError,
  useOrganization,
  useRead,
  useReadAgain,
} from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Button, Card, EmptyState, Loaded, Notice, Page } from '../../ui/index.ts';
import './apps.css';
import { LeaveGuard, RestoredNotice } from '../../ui/leave-guard.tsx';
import { NeedsGrant } from '../../ui/needs-grant.tsx';
import { AppTile } from './app-tile.tsx';
import { useBranches } from './branch-fields.tsx';
import type { CatalogApp } from './families.ts';
import { SchemaForm } from './schema-form.tsx';
import { settingWords } from './setting-words.ts';
import { changesIn, type Draft, draftOf, isForOwners, readSchema, withoutSecrets } from './settings-draft.ts';
import { appsWords } from './words.ts';

const route = getRouteApi('/in/apps/new/$slug');

export function NewAppPage(): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  const { slug } = route.useParams();
  const catalog = useRead('listAppCatalog', {}, { staleTime: 60_000 });
  const [made, setMade] = useState<Schemas['NewApp']>();
  return (
    <Loaded of={catalog} rows={8}>
      {({ data }) => {
        const app = data.find(({ app_slug }) => app_slug === slug);
        if (app === undefined) return <EmptyState icon="apps" title={t('noSuchApp')} />;
        if (made !== undefined) return <Installed app={app} made={made} />;
        return (
          <NeedsGrant grant="create:Apps" isWhole title={t('installNamed', { app: name(app) })}>
            <InstallForm app={app} onMade={setMade} />
          </NeedsGrant>
        );
      }}
    </Loaded>
  );
}

function Frame({ app, title, children }: { app: CatalogApp; title: string; children: ReactNode }): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  return (
    <Page
      title={
        <span className="apps-title">
          <AppTile name={name(app)} />
          {title}
        </span>
      }
      name={title}
      note={<BackLink to="/apps">{t('back')}</BackLink>}
    >
      {children}
    </Page>
  );
}

function InstallForm({ app, onMade }: { app: CatalogApp; onMade(made: Schemas['NewApp']): void }): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const name = useName();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const branches = useBranches();
  const schema = readSchema(app.settings_schema);
  const {
    values: draft,
    setValues: setDraft,
    isDirty,
    isRestored,
    clear,
  } = useDraft<Draft>(`install.${app.app_slug}`, draftOf(schema, app.secrets, {}), {
    storable: (values) => withoutSecrets(app.secrets, values),
  });
  const [isTried, setTried] = useState(false);
  const settings = changesIn(schema, app.secrets, {}, draft);
  const words = useWords(settingWords);
  const isOwner = useOrganization().role === 'owner';
  const needsOwner = !isOwner && schema.required.some((field) => isForOwners(field, app.secrets));
  const missing = schema.required.filter((field) => settings[field] === undefined);
  const install = useMutation({
    mutationFn: () => api.call('installApp', { body: { app_slug: app.app_slug, settings } }),
    onSuccess: async ({ data }) => {
      clear();
      onMade(data);
      await readAgain('listApps', 'listAppCatalog', 'listProviders');
    },
  });
  const errors = {
    ...(isTried ? Object.fromEntries(missing.map((field) => [field, common('required')])) : {}),
    ...fieldErrors(install.error),
  };
  const isFieldError = Object.keys(fieldErrors(install.error)).some((field) => field.startsWith('settings.'));
  const refused = install.error === null || isFieldError ? undefined : explain(install.error);
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (missing.length === 0) install.mutate();
  }
  return (
    <Frame app={app} title={t('installNamed', { app: name(app) })}>
      <LeaveGuard isDirty={isDirty && !install.isSuccess} onDiscard={clear} />
      <form className="apps-form" onSubmit={send} noValidate>
        <Card title={t('settings')}>
          <div className="apps-fields">
            <p className="soft">{t(`inboundHint.${app.inbound}`)}</p>
            <RestoredNotice isShown={isRestored} />
            {needsOwner && <Notice tone="warn">{words('ownersInstall')}</Notice>}
            {refused !== undefined && (
              <Notice tone="bad">
                {refused.title} {refused.hint}
              </Notice>
            )}
            <SchemaForm
              schema={schema}
              secrets={app.secrets}
              draft={draft}
              onChange={(field, value) => setDraft((before) => ({ ...before, [field]: value }))}
              stored={{}}
              errors={errors}
              branches={branches}
              isOwner={isOwner}
            />
            <div className="apps-foot">
              <Button type="submit" look="primary" isDisabled={needsOwner} isPending={install.isPending}>
                {t('install')}
              </Button>
              <Link to="/apps" className="ui-button">
                {common('cancel')}
              </Link>
            </div>
          </div>
        </Card>
      </form>
    </Frame>
  );
}

/** What to enter at the vendor. The token is shown here once. */
function Installed({ app, made }: { app: CatalogApp; made: Schemas['NewApp'] }): ReactNode {
  const t = useWords(appsWords);
  const name = useName();
  const navigate = useNavigate();
  return (
    <Frame app={app} title={t('nowInstalled', { app: name(app) })}>
      <div className="apps-form">
        <Card title={t('enterAtVendor', { app: name(app) })}>
          <div className="apps-fields">
            <CopyField label={t('ingestUrl')} value={made.ingest_url} hint={t('ingestUrlHint')} />
            <Notice tone="warn">{app.inbound === 'token' ? t('tokenOnce') : t('tokenOnceOther')}</Notice>
            <CopyField label={t('ingestToken')} value={made.ingest_token} hint={t('ingestTokenHint')} />
            <div className="apps-foot">
              <Button look="primary" onPress={() => void navigate({ to: '/apps/$id', params: { id: made.id } })}>
                {t('copiedGoOn')}
              </Button>
            </div>
          </div>
        </Card>
      </div>
    </Frame>
  );
}
