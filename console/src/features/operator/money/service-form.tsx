import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import {
  changedFields,
  fieldErrors,
  ifMatch,
  saveFields,
  useApi,
  useDraft,
  useReadAgain,
} from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { Checkbox, Field, Select, showToast } from '../../../ui/index.ts';
import { readAmount } from '../parts/amount.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords } from '../parts/say.ts';
import type { Service } from './rows.ts';
import { ServiceFiles } from './service-files.tsx';
import { moneyWords } from './words.ts';

const CYCLES = ['once', 'monthly', 'yearly'] as const;
type Cycle = (typeof CYCLES)[number];
type TextField = 'code' | 'name_en' | 'name_ar' | 'description' | 'price' | 'vat';
/** The names of fields that two people may have changed. */
const LABELS = {
  code: 'code',
  name_en: 'nameEn',
  name_ar: 'nameAr',
  description: 'description',
  price_sar: 'price',
  vat_percent: 'vat',
  billing_cycle: 'cycle',
  is_active: 'offered',
} as const;
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Creates a service, or changes one and its files. */
export function ServiceForm({ service, onClose }: { service?: Service; onClose(): void }): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const name = useName();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const draft = useDraft(`service.${service?.id ?? 'new'}`, {
    code: service?.code ?? '',
    name_en: service?.name_en ?? '',
    name_ar: service?.name_ar ?? '',
    description: service?.description ?? '',
    price: service === undefined ? '' : String(service.price_sar),
    vat: String(service?.vat_percent ?? 15),
    cycle: (service?.billing_cycle ?? 'monthly') as Cycle,
    isActive: service?.is_active ?? true,
  });
  const { values, setValues } = draft;
  const { cycle, isActive } = values;
  const { choose, dialog } = useConflictChoice((field) =>
    field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : field,
  );
  const close = () => {
    draft.clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const price = readAmount(values.price);
  const vat = values.vat.trim() === '' ? Number.NaN : Number(values.vat);
  const isRight = {
    code: CODE.test(values.code.trim()),
    name_en: values.name_en.trim() !== '',
    vat: vat >= 0 && vat <= 100,
  };
  const saving = useMutation({
    mutationFn: (price_sar: number) => {
      const { name_ar } = values;
      const body = {
        code: values.code.trim(),
        name_en: values.name_en.trim(),
        ...(name_ar.trim() !== '' && { name_ar: name_ar.trim() }),
        description: values.description,
        price_sar,
        vat_percent: vat,
        billing_cycle: cycle,
        is_active: isActive,
      };
      if (service === undefined) return api.call('createBillableService', { body, idempotencyKey: keyFor(body) });
      const change = changedFields(service, body);
      if (Object.keys(change).length === 0) return Promise.resolve(service);
      return saveFields({
        base: service,
        change,
        send: (fields, latest) =>
          api.call('changeBillableService', { path: { id: service.id }, body: fields, headers: ifMatch(latest) }),
        choose,
      });
    },
    onSuccess: async (saved) => {
      const text = t(service === undefined ? 'serviceCreated' : 'serviceChanged', { name: name(saved) });
      showToast({ tone: 'good', text });
      close();
      await readAgain('listBillableServices', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(saving.error);
  const set = (field: TextField) => (value: string) => setValues((before) => ({ ...before, [field]: value }));
  const wrong = (isWrong: boolean, text: string, said: string | undefined) => (isTried && isWrong ? text : said);
  function send(): void {
    setTried(true);
    if (price !== undefined && Object.values(isRight).every(Boolean)) saving.mutate(price);
  }
  return (
    <FormDialog
      title={service === undefined ? t('newService') : name(service)}
      place="side"
      onClose={close}
      isRestored={draft.isRestored}
      onSend={send}
      send={service === undefined ? common('create') : common('save')}
      isBusy={saving.isPending}
      error={saving.error}
    >
      <Field
        label={t('code')}
        hint={t('codeHint')}
        value={values.code}
        onChange={set('code')}
        error={wrong(!isRight.code, t('codeWrong'), refused.code)}
        ltr
      />
      <div className="operator-pair">
        <Field
          label={t('nameEn')}
          value={values.name_en}
          onChange={set('name_en')}
          error={wrong(!isRight.name_en, common('required'), refused.name_en)}
          maxLength={200}
        />
        <Field
          label={t('nameAr')}
          hint={t('nameArHint')}
          value={values.name_ar}
          onChange={set('name_ar')}
          error={refused.name_ar}
          maxLength={200}
        />
      </div>
      <Field
        label={t('description')}
        value={values.description}
        onChange={set('description')}
        lines={2}
        maxLength={5000}
      />
      <div className="operator-pair">
        <Field
          label={t('price')}
          {...(service && { hint: t('priceChangeHint') })}
          value={values.price}
          onChange={set('price')}
          error={wrong(price === undefined, shared('amountWrong'), refused.price_sar)}
          inputMode="decimal"
          ltr
        />
        <Field
          label={t('vat')}
          value={values.vat}
          onChange={set('vat')}
          error={wrong(!isRight.vat, t('vatWrong'), refused.vat_percent)}
          inputMode="decimal"
          ltr
        />
      </div>
      <div className="operator-pair">
        <Select<Cycle>
          label={t('cycle')}
          value={cycle}
          onChange={(next) => setValues((before) => ({ ...before, cycle: next }))}
          options={CYCLES.map((value) => ({ value, text: t(`cycle.${value}`) }))}
        />
        <div className="ui-field">
          <span className="ui-label">{t('offered')}</span>
          <Checkbox isSelected={isActive} onChange={(next) => setValues((before) => ({ ...before, isActive: next }))}>
            {t('offeredHint')}
          </Checkbox>
        </div>
      </div>
      {dialog}
      {service !== undefined && <ServiceFiles service={service} />}
    </FormDialog>
  );
}
