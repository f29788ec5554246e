import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useDraft, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../ui/index.ts';
import { RestoredNotice } from '../../ui/leave-guard.tsx';
import { BRANCH_DRAFT } from './branch-draft.ts';
import { PlacePicker } from './place-picker/place-picker.tsx';
import { locationOf, NO_PLACE, type PlaceText } from './place-picker/place-text.ts';
import { branchesWords } from './words.ts';

const EMPTY = { code: '', nameAr: '', nameEn: '', place: NO_PLACE };

/** The required fields and the location. The rest is set on the branch page. Loaded with its map: arriving later, the map moves the buttons. */
export default function CreateBranch({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const navigate = useNavigate();
  const form = useId();
  const { values, setValues, isDirty, isRestored, clear } = useDraft(BRANCH_DRAFT, EMPTY);
  const { code, nameAr, nameEn, place } = values;
  const set = (field: keyof typeof EMPTY) => (value: string | PlaceText) =>
    setValues((before) => ({ ...before, [field]: value }));
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const location = locationOf(place);
  const creation = useMutation({
    mutationFn: () =>
      api.call('createBranch', {
        body: {
          iv_id: code.trim(),
          name_ar: nameAr.trim(),
          name_en: nameEn.trim(),
          ...(location && { location }),
        },
      }),
    onSuccess: async ({ data }) => {
      clear();
      await readAgain('listBranches');
      const { skus_generated: count, iv_id } = data;
      showToast({
        tone: 'good',
        text: t('createdToast'),
        detail: `${count > 0 ? t('createdSkus', { count }) : t('createdNoSkus')}. ${t('nextHours')}`,
      });
      await navigate({ to: '/branches/$ivId', params: { ivId: iv_id } });
    },
  });
  const { error } = creation;
  const fields = fieldErrors(error);
  const isTaken = error instanceof DukkanError && error.status === 409;
  const isMissing = isTried && code.trim() === '';
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (code.trim() !== '' && location !== undefined) creation.mutate();
  }
  return (
    <Dialog
      title={t('createTitle')}
      isOpen
      onClose={close}
      size="wide"
      isFilled={isDirty}
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button type="submit" form={form} look="primary" isPending={creation.isPending}>
            {common('create')}
          </Button>
        </>
      }
    >
      <form id={form} className="branch-form" onSubmit={send} noValidate>
        <RestoredNotice isShown={isRestored} />
        {error !== null && !isTaken && Object.keys(fields).length === 0 && (
          <Notice tone="bad">{explain(error).title}</Notice>
        )}
        <Field
          label={t('code')}
          hint={t('codeHint')}
          value={code}
          onChange={set('code')}
          error={isMissing ? common('required') : isTaken ? t('codeTaken') : fields.iv_id}
          maxLength={50}
          autoFocus
          ltr
        />
        <div className="branch-names">
          <Field label={t('nameAr')} value={nameAr} onChange={set('nameAr')} error={fields.name_ar} maxLength={255} />
          <Field label={t('nameEn')} value={nameEn} onChange={set('nameEn')} error={fields.name_en} maxLength={255} />
        </div>
        <fieldset className="branch-place">
          <legend className="ui-label">{t('place')}</legend>
          {fields.location !== undefined && <Notice tone="bad">{fields.location}</Notice>}
          <PlacePicker value={place} onChange={set('place')} isTried={isTried} />
        </fieldset>
      </form>
    </Dialog>
  );
}
