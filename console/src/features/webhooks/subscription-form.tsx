import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useRead, useReadAgain } from '../../platform/index.ts';
import { Button, Checkbox, Dialog, Field, Notice, Segments, showToast } from '../../ui/index.ts';
import { useEventName } from './event-names.ts';
import type { Subscription } from './health.ts';
import { webhooksWords } from './words.ts';

type EventType = Schemas['EventType'];

/** A new subscription, or a change of one. */
export function SubscriptionForm(props: {
  of?: Subscription;
  onClose(): void;
  onMade?: (id: string, secret: string) => void;
}): ReactNode {
  const t = useWords(webhooksWords);
  const common = useWords(commonWords);
  const { of, onClose, onMade } = props;
  const [url, setUrl] = useState(of?.url ?? '');
  const [description, setDescription] = useState(of?.description ?? '');
  const [scope, setScope] = useState<'all' | 'some'>(of === undefined || of.event_types.length === 0 ? 'all' : 'some');
  const [chosen, setChosen] = useState<readonly EventType[]>(of?.event_types ?? []);
  const [isTried, setTried] = useState(false);
  const api = useApi();
  const readAgain = useReadAgain();
  const formId = useId();
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        url: url.trim(),
        description: description.trim(),
        event_types: scope === 'all' ? [] : [...chosen],
      };
      if (of === undefined) return api.call('createWebhookSubscription', { body });
      return api.call('changeWebhookSubscription', { path: { id: of.id }, body });
    },
    onSuccess: async (answer) => {
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
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isPending={save.isPending}>
            {of === undefined ? common('create') : common('save')}
          </Button>
        </>
      }
    >
      <form id={formId} className="webhooks-form" onSubmit={send} noValidate>
        <Refusal error={save.error} known={['url', 'description', 'event_types']} />
        <Field
          label={t('url')}
          hint={t('urlHint')}
          placeholder="https://erp.example.com/hooks/orders"
          value={url}
          onChange={setUrl}
          error={errors.url ?? (isTried && url.trim() === '' ? common('required') : undefined)}
          inputMode="url"
          autoFocus
          ltr
        />
        <Field
          label={t('description')}
          hint={t('descriptionHint')}
          value={description}
          onChange={setDescription}
          error={errors.description}
          maxLength={1000}
        />
        <div className="webhooks-events">
          <span className="ui-label">{t('column.events')}</span>
          <Segments<'all' | 'some'>
            label={t('column.events')}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'all', text: t('allEvents') },
              { value: 'some', text: t('chosenEvents') },
            ]}
          />
          {scope === 'all' ? (
            <span className="ui-hint">{t('allEventsHint')}</span>
          ) : (
            <EventChoice chosen={chosen} onChange={setChosen} />
          )}
          {isTried && needsEvents && <span className="ui-error-text">{t('chooseOne')}</span>}
        </div>
      </form>
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
