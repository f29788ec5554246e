import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { commonWords, useLanguage, useWords } from '../../i18n/index.ts';
import {
  currentVersion,
  fieldErrors,
  ifMatch,
  saveFields,
  useApi,
  useDraft,
  useExplainError,
  useOrganization,
  useReadAgain,
} from '../../platform/index.ts';
import { useConflictChoice } from '../../ui/conflict/index.ts';
import { Button, Card, Notice, showToast } from '../../ui/index.ts';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { useBranches } from './branch-fields.tsx';
import type { CatalogApp, Install } from './families.ts';
import { SchemaForm } from './schema-form.tsx';
import { settingWords } from './setting-words.ts';
import { changesIn, type Draft, draftOf, readSchema, secretsToRepeat, withoutSecrets } from './settings-draft.ts';
import { appsWords } from './words.ts';

const route = getRouteApi('/in/apps/$id');

/** The settings of an install. Only changed values are sent, so an untouched secret stays. */
export function AppSettings(props: { app: CatalogApp; install: Install; isOpen: boolean }): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const words = useWords(settingWords);
  const language = useLanguage();
  const isOwner = useOrganization().role === 'owner';
  const { app, install, isOpen } = props;
  const { field, store } = route.useSearch();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const branches = useBranches();
  const schema = readSchema(app.settings_schema);
  const latest: Edit = { draft: draftOf(schema, app.secrets, install.settings), base: baseOf(install) };
  const changesOf = ({ base, draft }: Edit) => changesIn(schema, app.secrets, base.settings, draft);
  const {
    values: edit,
    setValues: setEdit,
    clear,
  } = useDraft<Edit>(`app-settings.${install.id}`, latest, {
    isUnchanged: (values) => Object.keys(changesOf(values)).length === 0,
    storable: (values) => ({ ...values, draft: withoutSecrets(app.secrets, values.draft) }),
  });
  const { draft, base } = edit;
  const settings = changesOf(edit);
  const toRepeat = secretsToRepeat(schema, base.settings, draft);
  const isChanged = Object.keys(settings).length > 0;
  // Without changes the form follows the service. An edit keeps the version it was begun with, so that `If-Match` finds what changed since.
  useEffect(() => {
    if (!isChanged && base.updated !== latest.base.updated) clear(latest);
  });
  const { choose, dialog } = useConflictChoice(
    (name) => {
      const known = (settingWords[language] as Record<string, unknown>)[`setting.${name}`];
      return typeof known === 'string' ? known : name;
    },
    (name, value) =>
      app.secrets.includes(name) ? '••••' : typeof value === 'object' ? JSON.stringify(value) : undefined,
  );
  const save = useMutation({
    mutationFn: () =>
      saveFields({
        base: versionOf(base),
        change: settings,
        choose,
        async send(change, version) {
          const body = { settings: change };
          const call = api.call('changeApp', { path: { id: install.id }, body, headers: ifMatch(version) });
          return versionOf((await call.catch(rethrowFlat)).data);
        },
      }),
    onSuccess: async ({ updated, ...saved }) => {
      showToast({ tone: 'good', text: t('settingsSaved') });
      clear({ draft: draftOf(schema, app.secrets, saved), base: { settings: saved, updated } });
      await readAgain('listApps');
    },
  });
  const again = Object.fromEntries(toRepeat.map((name) => [`settings.${name}`, words('secretAgain')]));
  const errors = { ...fieldErrors(save.error), ...again };
  const isFieldError = Object.keys(errors).some((name) => name.startsWith('settings.'));
  const refused = save.error === null || isFieldError ? undefined : explain(save.error);
  function send(event: FormEvent): void {
    event.preventDefault();
    if (isChanged && toRepeat.length === 0) save.mutate();
  }
  return (
    <Card title={t('settings')}>
      {dialog}
      <LeaveGuard isDirty={isChanged} onDiscard={() => clear(latest)} />
      <form className="apps-fields" onSubmit={send} noValidate>
        {refused !== undefined && (
          <Notice tone="bad">
            {refused.title} {refused.hint}
          </Notice>
        )}
        {toRepeat.length > 0 && <Notice tone="warn">{words('secretsAgain')}</Notice>}
        <SchemaForm
          schema={schema}
          secrets={app.secrets}
          draft={draft}
          onChange={(name, value) => setEdit((before) => ({ ...before, draft: { ...before.draft, [name]: value } }))}
          stored={install.settings}
          errors={errors}
          branches={branches}
          isDisabled={!isOpen}
          isOwner={isOwner}
          focus={field}
          store={store}
        />
        {isOpen && (
          <div className="apps-foot">
            <Button
              type="submit"
              look="primary"
              isDisabled={!isChanged || toRepeat.length > 0}
              isPending={save.isPending}
            >
              {common('save')}
            </Button>
            {isChanged && (
              <Button look="quiet" onPress={() => clear(latest)}>
                {t('undo')}
              </Button>
            )}
          </div>
        )}
      </form>
    </Card>
  );
}

/** The version that an edit was begun with. */
type Base = Pick<Install, 'settings' | 'updated'>;
type Edit = { draft: Draft; base: Base };
const baseOf = ({ settings, updated }: Install): Base => ({ settings, updated });

type Version = Readonly<Record<string, unknown>> & { updated: string };

/** Settings are compared one by one, so that two users who change different ones both keep their change. */
function versionOf({ settings, updated }: Base): Version {
  return { ...settings, updated };
}

function rethrowFlat(error: unknown): never {
  const current = currentVersion<Install>(error);
  if (current === undefined) throw error;
  throw Object.assign(new Error('Precondition failed'), { status: 412, details: { current: versionOf(current) } });
}
