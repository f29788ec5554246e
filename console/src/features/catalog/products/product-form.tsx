import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useDraft, useExplainError, useReadAgain } from '../../../platform/index.ts';
import { Button, Checkbox, Dialog, Field, Notice, showToast } from '../../../ui/index.ts';
import { RestoredNotice } from '../../../ui/leave-guard.tsx';
import { GroupPicker } from '../group-picker.tsx';
import { readNumber } from '../read-number.ts';
import { PRODUCT_DRAFT } from './product-draft.ts';
import { DEFAULT_VAT, useChecks } from './product-values.ts';
import { productsWords } from './words.ts';

const EMPTY = {
  iv_id: '',
  name_en: '',
  name_ar: '',
  average_price: '',
  vat_value: DEFAULT_VAT,
  barcode: '',
  generic_id: '',
  brand_id: undefined as string | undefined,
  category_id: undefined as string | undefined,
  is_enabled: true,
};
type Draft = typeof EMPTY;

export function ProductForm({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const { values: draft, setValues: setDraft, isRestored, clear } = useDraft<Draft>(PRODUCT_DRAFT, EMPTY);
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const create = useCreate(close);
  const wrong = useWrong(draft);
  const refused = refusalsOf(create.error, t);
  const explain = useExplainError();
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const errorOf = (field: string) => (isTried ? wrong[field] : undefined) ?? refused[field];
  const text = (field: 'iv_id' | 'name_en' | 'name_ar' | 'average_price' | 'vat_value' | 'barcode' | 'generic_id') => ({
    label: t(`field.${field}`),
    value: draft[field],
    onChange: (value: string) => set({ [field]: value }),
    error: errorOf(field),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (Object.keys(wrong).length === 0) create.mutate(draft);
  }
  return (
    <Dialog
      title={t('create')}
      isOpen
      onClose={close}
      isFilled={isRestored}
      size="wide"
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button look="primary" type="submit" form="product-form" isPending={create.isPending}>
            {common('create')}
          </Button>
        </>
      }
    >
      <form id="product-form" className="product-form" onSubmit={submit} noValidate>
        <RestoredNotice isShown={isRestored} />
        {create.isError && Object.keys(refused).length === 0 && (
          <Notice tone="bad">{explain(create.error).title}</Notice>
        )}
        <Field {...text('iv_id')} hint={t('field.iv_idHint')} ltr autoFocus isRequired />
        <Field {...text('barcode')} ltr inputMode="numeric" />
        <Field {...text('name_en')} />
        <Field {...text('name_ar')} />
        <Field {...text('average_price')} hint={t('field.average_priceHint')} ltr inputMode="decimal" />
        <Field {...text('vat_value')} ltr inputMode="decimal" />
        <GroupPicker
          kind="brand"
          id={draft.brand_id}
          onChoose={(brand_id) => set({ brand_id })}
          error={refused.brand_id}
        />
        <GroupPicker
          kind="category"
          id={draft.category_id}
          onChoose={(category_id) => set({ category_id })}
          error={refused.category_id}
        />
        <Field {...text('generic_id')} hint={t('field.generic_idHint')} />
        <Checkbox isSelected={draft.is_enabled} onChange={(is_enabled) => set({ is_enabled })}>
          {t('field.is_enabled')}
        </Checkbox>
      </form>
    </Dialog>
  );
}

function useCreate(onClose: () => void) {
  const t = useWords(productsWords);
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ average_price, vat_value, brand_id, category_id, ...texts }: Draft) =>
      api.call('createProduct', {
        body: {
          ...texts,
          iv_id: texts.iv_id.trim(),
          average_price: readNumber(average_price) ?? 0,
          vat_value: readNumber(vat_value) ?? 0,
          brand_id: brand_id ?? null,
          category_id: category_id ?? null,
        },
      }),
    onSuccess: async (_answer, { iv_id }) => {
      showToast({ tone: 'good', text: t('created'), detail: t('createdDetail') });
      onClose();
      await readAgain('listProducts', 'listSkus');
      await navigate({ to: '/products/$ivId', params: { ivId: iv_id.trim() } });
    },
  });
}

function useWrong(draft: Draft): Record<string, string> {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const checks = useChecks();
  const found: Record<string, string | undefined> = {
    iv_id: draft.iv_id.trim() === '' ? common('required') : checks.text('iv_id')(draft.iv_id.trim()),
    name_en:
      draft.name_en.trim() === '' && draft.name_ar.trim() === ''
        ? t('nameNeeded')
        : checks.text('name_en')(draft.name_en),
    name_ar: checks.text('name_ar')(draft.name_ar),
    average_price: draft.average_price.trim() === '' ? undefined : checks.price(draft.average_price),
    vat_value: draft.vat_value.trim() === '' ? undefined : checks.vat(draft.vat_value),
    barcode: checks.text('barcode')(draft.barcode),
    generic_id: checks.text('generic_id')(draft.generic_id),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A conflict names the field that is taken. */
function refusalsOf(
  error: unknown,
  t: (key: 'barcodeTaken' | 'codeTaken') => string,
): Record<string, string | undefined> {
  if (!(error instanceof DukkanError)) return {};
  if (error.status !== 409) return fieldErrors(error);
  return error.message === 'Duplicate barcode' ? { barcode: t('barcodeTaken') } : { iv_id: t('codeTaken') };
}
