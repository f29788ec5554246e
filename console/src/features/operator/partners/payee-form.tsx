import type { Row } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useDraft, useReadAgain } from '../../../platform/index.ts';
import { Field, Select, showToast } from '../../../ui/index.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import type { Partner } from './rates.tsx';
import { partnersWords } from './words.ts';

export type Payee = Row<'listPartnerUsers'>;

/** Adds a payee or changes one. The account number is entered, never shown: an empty field keeps it. */
export function PayeeForm(props: { payee?: Payee; partners: readonly Partner[]; onClose(): void }): ReactNode {
  const t = useWords(partnersWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { payee, partners, onClose } = props;
  const first = {
    partner_id: payee?.partner_id ?? partners[0]?.partner_id ?? '',
    name: payee?.name ?? '',
    email: payee?.email ?? '',
    iban: '',
  };
  // Account numbers are not stored in the browser.
  const storable = (values: typeof first) => ({ ...values, iban: '' });
  const draft = useDraft(`payee.${payee?.id ?? 'new'}`, first, { storable });
  const { values } = draft;
  const [isTried, setTried] = useState(false);
  const iban = values.iban.trim();
  const isRight = {
    name: values.name.trim() !== '',
    email: values.email.trim() !== '',
    iban: payee !== undefined || iban !== '',
  };
  const close = () => {
    draft.clear();
    onClose();
  };
  const saving = useMutation({
    mutationFn: () => {
      const body = { name: values.name.trim(), email: values.email.trim(), ...(iban !== '' && { iban }) };
      if (payee !== undefined) return api.call('changePartnerUser', { path: { id: payee.id }, body });
      const added = { ...body, iban, partner_id: values.partner_id };
      return api.call('createPartnerUser', { body: added, idempotencyKey: keyFor(added) });
    },
    onSuccess: async (saved) => {
      showToast({ tone: 'good', text: t('payeeSaved', { name: saved.name }) });
      close();
      await readAgain('listPartnerUsers', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(saving.error);
  const set = (field: keyof typeof values) => (value: string) =>
    draft.setValues((before) => ({ ...before, [field]: value }));
  const missing = (field: keyof typeof isRight) => (isTried && !isRight[field] ? common('required') : refused[field]);
  return (
    <FormDialog
      title={payee?.name ?? t('newPayee')}
      onClose={close}
      onSend={() => {
        setTried(true);
        if (Object.values(isRight).every(Boolean)) saving.mutate();
      }}
      send={payee === undefined ? common('create') : common('save')}
      isBusy={saving.isPending}
      error={saving.error}
      isRestored={draft.isRestored}
    >
      {payee === undefined && (
        <Select
          label={t('partner')}
          value={values.partner_id}
          onChange={set('partner_id')}
          options={partners.map(({ partner_id, partner_name }) => ({ value: partner_id, text: partner_name }))}
        />
      )}
      <div className="operator-pair">
        <Field label={t('name')} value={values.name} onChange={set('name')} error={missing('name')} maxLength={200} />
        <Field
          label={t('email')}
          value={values.email}
          onChange={set('email')}
          error={missing('email')}
          maxLength={320}
          type="email"
          ltr
        />
      </div>
      <Field
        label={t('iban')}
        hint={payee === undefined ? t('ibanHint') : t('ibanKeptHint', { account: payee.iban_masked })}
        value={values.iban}
        onChange={set('iban')}
        error={missing('iban')}
        maxLength={60}
        autoComplete="off"
        ltr
      />
    </FormDialog>
  );
}
