import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Field, Notice, Select, showToast } from '../../../ui/index.ts';
import { PLANS, usePlanName } from '../../../ui/plan-names.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { organizationsWords } from './words.ts';

type FormValues = { name_en: string; name_ar: string; owner_email: string; plan: (typeof PLANS)[number] };

export function OpenOrganization({ email, onClose }: { email: string; onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const planName = usePlanName();
  const [values, setValues] = useState<FormValues>({ name_en: '', name_ar: '', owner_email: email, plan: 'standard' });
  const [isTried, setTried] = useState(false);
  const opening = useMutation({
    mutationFn: (body: FormValues) => api.call('openOrganization', { body, idempotencyKey: keyFor(body) }),
    onSuccess: () => readAgain('listFleetOrganizations', 'readFleetMetrics', 'listOperatorAudit'),
  });
  const set = (name: keyof FormValues) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const refused = fieldErrors(opening.error);
  const wrong = (name: keyof FormValues) =>
    isTried && values[name].trim() === '' ? common('required') : opening.isPending ? undefined : refused[name];
  if (opening.data !== undefined) return <Opened opened={opening.data} onClose={onClose} />;
  function send(): void {
    setTried(true);
    const body = { ...values, name_en: values.name_en.trim(), name_ar: values.name_ar.trim() };
    if (Object.values(body).some((value) => value.trim() === '')) return;
    opening.mutate({ ...body, owner_email: body.owner_email.trim() });
  }
  return (
    <FormDialog
      title={t('open')}
      onClose={onClose}
      onSend={send}
      send={t('openIt')}
      isBusy={opening.isPending}
      error={opening.error}
    >
      <Field label={t('nameEn')} value={values.name_en} onChange={set('name_en')} error={wrong('name_en')} autoFocus />
      <Field label={t('nameAr')} value={values.name_ar} onChange={set('name_ar')} error={wrong('name_ar')} />
      <Field
        label={t('ownerEmail')}
        hint={t('ownerHint')}
        type="email"
        value={values.owner_email}
        onChange={set('owner_email')}
        error={wrong('owner_email')}
        ltr
      />
      <Select
        label={t('plan')}
        value={values.plan}
        onChange={set('plan')}
        options={PLANS.map((value) => ({ value, text: planName(value) }))}
      />
    </FormDialog>
  );
}

/** The link is shown only once, so only its own buttons close the dialog. */
function Opened(props: { opened: Schemas['OpenedOrganization']; onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const common = useWords(commonWords);
  const name = useName();
  const navigate = useNavigate();
  const { opened, onClose } = props;
  const copy = async () => {
    await navigator.clipboard.writeText(opened.invite_url);
    showToast({ tone: 'good', text: common('copied') });
  };
  return (
    <Dialog
      title={t('opened', { name: name(opened) })}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={() => void navigate({ to: '/operator/organizations/$id', params: { id: opened.id } })}>
            {t('goTo')}
          </Button>
          <Button look="primary" onPress={onClose}>
            {t('done')}
          </Button>
        </>
      }
    >
      <p>{t('inviteHint', { email: opened.owner_email })}</p>
      {opened.resets_account && (
        <Notice tone="warn">
          {t('resetsAccount')}{' '}
          {opened.affected_organizations.length > 0 && t('affected', { count: opened.affected_organizations.length })}
        </Notice>
      )}
      <div className="organizations-link">
        <Field label={t('inviteLink')} value={opened.invite_url} isReadOnly ltr />
        <Button icon="copy" aria-label={common('copy')} onPress={() => void copy()} />
      </div>
    </Dialog>
  );
}
