import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useDraft, useReadAgain } from '../../../platform/index.ts';
import { Field, showToast } from '../../../ui/index.ts';
import { readPrice } from '../parts/amount.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import type { Partner } from './rates.tsx';
import { partnersWords } from './words.ts';

/** Creates a partner or changes one. */
export function PartnerForm({ partner, onClose }: { partner?: Partner; onClose(): void }): ReactNode {
  const t = useWords(partnersWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const first = {
    name: partner?.partner_name ?? '',
    erp: partner?.erp ?? '',
    rate: partner === undefined ? '' : String(partner.rate_percent),
  };
  const draft = useDraft(`partner.${partner?.partner_id ?? 'new'}`, first);
  const { values } = draft;
  const [isTried, setTried] = useState(false);
  const rate = readPrice(values.rate);
  const isRight = { name: values.name.trim() !== '', rate: rate !== undefined && rate <= 100 };
  const close = () => {
    draft.clear();
    onClose();
  };
  const saving = useMutation({
    mutationFn: (rate_percent: number) => {
      const body = { name: values.name.trim(), erp: values.erp.trim(), rate_percent };
      if (partner === undefined) return api.call('createPartner', { body, idempotencyKey: keyFor(body) });
      return api.call('changePartner', { path: { id: partner.partner_id }, body });
    },
    onSuccess: async (saved) => {
      showToast({ tone: 'good', text: t('partnerSaved', { name: saved.name }) });
      close();
      await readAgain('listCommissionRates', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(saving.error);
  const set = (field: keyof typeof values) => (value: string) =>
    draft.setValues((before) => ({ ...before, [field]: value }));
  return (
    <FormDialog
      title={partner?.partner_name ?? t('newPartner')}
      onClose={close}
      onSend={() => {
        setTried(true);
        if (isRight.name && isRight.rate && rate !== undefined) saving.mutate(rate);
      }}
      send={partner === undefined ? common('create') : common('save')}
      isBusy={saving.isPending}
      error={saving.error}
      isRestored={draft.isRestored}
    >
      <Field
        label={t('name')}
        value={values.name}
        onChange={set('name')}
        error={isTried && !isRight.name ? common('required') : refused.name}
        maxLength={200}
        autoFocus
      />
      <div className="operator-pair">
        <Field label={t('erp')} value={values.erp} onChange={set('erp')} error={refused.erp} maxLength={100} />
        <Field
          label={t('ratePercent')}
          hint={t('rateHint')}
          value={values.rate}
          onChange={set('rate')}
          error={isTried && !isRight.rate ? t('rateWrong') : refused.rate_percent}
          inputMode="decimal"
          ltr
        />
      </div>
    </FormDialog>
  );
}
