import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import {
  changedFields,
  fieldErrors,
  ifMatch,
  saveFields,
  useApi,
  useDraft,
  useExplainError,
  useRead,
  useReadAgain,
} from '../../platform/index.ts';
import { useConflictChoice } from '../../ui/conflict/index.ts';
import { Button, Checkbox, Dialog, Field, Notice, Segments, showToast } from '../../ui/index.ts';
import { RestoredNotice } from '../../ui/leave-guard.tsx';
import { useEventName } from './event-names.ts';
import type { Subscription } from './health.ts';
import { webhooksWords } from './words.ts';

type EventType = Schemas['EventType'];

type Values = { url: string; description: string; scope: 'all' | 'some'; chosen: readonly EventType[] };
export const WEBHOOK_DRAFT = 'webhook';
const draftOf = (of: Subscription | undefined) => (of === undefined ? WEBHOOK_DRAFT : `${WEBHOOK_DRAFT}.${of.id}`);

function valuesOf(of: Subscription | undefined): Values {
  const { url = '', description = '', event_types = [] } = of ?? {};
  return { url, description, scope: event_types.length === 0 ? 'all' : 'some', chosen: event_types };
}

/** A new subscription, or a change of one. */
export function SubscriptionForm(props: {
  of?: Subscription;
  onClose(): void;
  onMade?: (id: string, secret: string) => void;
}): ReactNode {
  const t = useWords(webhooksWords);
  const common = useWords(commonWords);
  const { of, onClose, onMade } = props;
  const { values, setValues, isRestored, clear } = useDraft<Values>(draftOf(of), valuesOf(of));
  const { url, description, scope, chosen } = values;
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }));
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const api = useApi();
  const readAgain = useReadAgain();
  const formId = useId();
  const { choose, dialog } = useConflictChoice((field) =>
    t(field === 'url' ? 'url' : field === 'description' ? 'description' : 'column.events'),
  );
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        description: description.trim(),
        event_types: scope === 'all' ? [] : [...chosen],
      };
      if (of === undefined) return api.call('createWebhookSubscription', { body });
      const change = changedFields(of, body);
      if (Object.keys(change).length === 0) return of;
      return saveFields({
        base: of,
        change,
        choose,
        send: (fields, latest) =>
          api.call('changeWebhookSubscription', { path: { id: of.id }, body: fields, headers: ifMatch(latest) }),
      });
    },
    onSuccess: async (answer) => {
      clear();
      await readAgain('listWebhookSubscriptions', 'getWebhookSubscription');
      if ('secret' in answer) onMade?.(answer.id, String(answer.secret));
      else {
        showToast({ tone: 'good', text: common('saved') });
        onClose();
      }
    },
  });
  const errors = fieldErrors(save.error);
  const needsEvents = scope === 'some' && chosen.length === 0;
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (url.trim() === '' || needsEvents) return;
    save.mutate();
  }
  return (
    <Dialog
      title={of === undefined ? t('add') : t('editTitle')}
      isOpen
      onClose={close}
      isFilled={isRestored}
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isPending={save.isPending}>
            {of === undefined ? common('create') : common('save')}
          </Button>
        </>
      }
    >
      <form id={formId} className="webhooks-form" onSubmit={send} noValidate>
        <RestoredNotice isShown={isRestored} />
        <Refusal error={save.error} known={['url', 'description', 'event_types']} />
        <Field
          label={t('url')}
          hint={t('urlHint')}
          placeholder="https://erp.example.com/hooks/orders"
          value={url}
          onChange={(text) => set({ url: text })}
          error={errors.url ?? (isTried && url.trim() === '' ? common('required') : undefined)}
          inputMode="url"
          autoFocus
          ltr
        />
        <Field
          label={t('description')}
          hint={t('descriptionHint')}
          value={description}
          onChange={(text) => set({ description: text })}
          error={errors.description}
          maxLength={1000}
        />
        <div className="webhooks-events">
          <span className="ui-label">{t('column.events')}</span>
          <Segments<'all' | 'some'>
            label={t('column.events')}
            value={scope}
            onChange={(next) => set({ scope: next })}
            options={[
              { value: 'all', text: t('allEvents') },
              { value: 'some', text: t('chosenEvents') },
            ]}
          />
          {scope === 'all' ? (
            <span className="ui-hint">{t('allEventsHint')}</span>
          ) : (
            <EventChoice chosen={chosen} onChange={(types) => set({ chosen: types })} />
          )}
          {isTried && needsEvents && <span className="ui-error-text">{t('chooseOne')}</span>}
        </div>
      </form>
      {dialog}
    </Dialog>
  );
}

function EventChoice(props: { chosen: readonly EventType[]; onChange(types: readonly EventType[]): void }): ReactNode {
  const { chosen, onChange } = props;
  const { when } = useEventName();
  const types = useRead('listWebhookSubscriptions', {}).data?.event_types ?? [];
  return (
    <ul className="webhooks-choice">
      {types.map((type) => (
        <li key={type}>
          <Checkbox
            isSelected={chosen.includes(type)}
            onChange={(isOn) => onChange(isOn ? [...chosen, type] : chosen.filter((other) => other !== type))}
          >
            <span>
              <code className="ltr">{type}</code> <span className="soft small">{when(type)}</span>
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}

/** Errors that belong to no field. */
function Refusal({ error, known }: { error: unknown; known: readonly string[] }): ReactNode {
  const explain = useExplainError();
  if (error === null || Object.keys(fieldErrors(error)).some((name) => known.includes(name))) return null;
  const { title, hint } = explain(error);
  return (
    <Notice tone="bad">
      {title} {hint}
    </Notice>
  );
}
