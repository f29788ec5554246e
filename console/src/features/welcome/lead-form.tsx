import { createDukkan, DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useExplainError } from '../../platform/index.ts';
import { loadRefusalWords } from '../../platform/refusal-words.ts';
import { Button, Field, Icon, Notice, Select } from '../../ui/index.ts';
import { welcomeWords } from './words.ts';

const REASONS = ['demo', 'pricing', 'integration', 'other'] as const;
type Reason = (typeof REASONS)[number];
const EMPTY = { name: '', email: '', phone: '', position: '', erp: '', notes: '' };
type Texts = typeof EMPTY;
/** The limit of the service. */
const MOST = 10_000;

/** Works without a session. A lead is stored once even when the answer was lost. */
export function LeadForm(): ReactNode {
  const t = useWords(welcomeWords);
  const common = useWords(commonWords);
  const explain = useExplainError();
  void loadRefusalWords();
  const [texts, setTexts] = useState(EMPTY);
  const [reason, setReason] = useState<Reason>('demo');
  const [isTried, setTried] = useState(false);
  const lead = useMutation({
    mutationFn: () =>
      createDukkan({ baseUrl: '', retries: 2 }).call('createLead', {
        body: { ...texts, name: texts.name.trim(), email: texts.email.trim(), contact_reason: reason },
      }),
  });
  if (lead.isSuccess) {
    return (
      <div className="welcome-thanks" role="status">
        <span className="welcome-thanks-mark">
          <Icon name="check" />
        </span>
        <h3>{t('thanks', { name: texts.name.trim() })}</h3>
        <p className="soft">{t('thanksText', { email: texts.email.trim() })}</p>
        <Button
          onPress={() => {
            lead.reset();
            setTexts(EMPTY);
            setTried(false);
          }}
        >
          {t('again')}
        </Button>
      </div>
    );
  }
  const refused = refusedField(lead.error);
  function errorOf(field: keyof Texts): string | undefined {
    if ((field === 'name' || field === 'email') && isTried && texts[field].trim() === '') return common('required');
    return refused?.field === field ? t(refused.why) : undefined;
  }
  const field = (name: keyof Texts) => ({
    name,
    value: texts[name],
    maxLength: MOST,
    error: errorOf(name),
    onChange: (value: string) => {
      setTexts((before) => ({ ...before, [name]: value }));
      if (refused?.field === name) lead.reset();
    },
  });
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (texts.name.trim() !== '' && texts.email.trim() !== '') lead.mutate();
  }
  return (
    <form className="welcome-form" onSubmit={send} noValidate>
      {lead.error !== null && refused === undefined && <Notice tone="bad">{explain(lead.error).title}</Notice>}
      <Field label={t('field.name')} {...field('name')} autoComplete="name" isRequired />
      <Field label={t('field.email')} {...field('email')} type="email" autoComplete="email" isRequired ltr />
      <Field label={t('optional', { field: t('field.phone') })} {...field('phone')} type="tel" autoComplete="tel" ltr />
      <Field
        label={t('optional', { field: t('field.position') })}
        {...field('position')}
        autoComplete="organization-title"
      />
      <Select<Reason>
        label={t('field.reason')}
        value={reason}
        onChange={setReason}
        options={REASONS.map((value) => ({ value, text: t(`reason.${value}`) }))}
      />
      <Field label={t('optional', { field: t('field.erp') })} {...field('erp')} placeholder={t('erpHint')} />
      <div className="welcome-wide">
        <Field
          label={t('optional', { field: t('field.notes') })}
          {...field('notes')}
          placeholder={t('notesHint')}
          lines={4}
        />
      </div>
      <div className="welcome-wide welcome-send">
        <p className="soft small">{t('privacy')}</p>
        <Button type="submit" look="primary" isPending={lead.isPending}>
          {lead.isPending ? t('sending') : t('send')}
        </Button>
      </div>
    </form>
  );
}

type Refused = { field: string; why: 'error.email' | 'error.long' | 'error.wrong' };

/** The service names the field in its sentence: `invalid email format`, `field too long: notes`. */
function refusedField(error: Error | null): Refused | undefined {
  if (!(error instanceof DukkanError) || error.status !== 400) return undefined;
  const { message } = error;
  if (message.includes('email')) return { field: 'email', why: 'error.email' };
  const field = /field(?: too long)?: (\w+)$/.exec(message)?.[1];
  if (field === undefined) return undefined;
  return { field, why: message.includes('too long') ? 'error.long' : 'error.wrong' };
}
