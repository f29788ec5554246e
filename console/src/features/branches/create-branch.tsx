import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useLanguage, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../ui/index.ts';
import { readPlace } from './places.ts';
import { branchesWords } from './words.ts';

/** The required fields and the location. The rest is set on the branch page. */
export function CreateBranch({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const language = useLanguage();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const navigate = useNavigate();
  const form = useId();
  const [code, setCode] = useState('');
  const [nameAr, setNameAr] = useState('');
  const [nameEn, setNameEn] = useState('');
  const [place, setPlace] = useState('');
  const [isTried, setTried] = useState(false);
  const found = readPlace(place);
  const isPlaceWrong = place.trim() !== '' && found === undefined;
  const creation = useMutation({
    mutationFn: () =>
      api.call('createBranch', {
        body: {
          iv_id: code.trim(),
          name_ar: nameAr.trim(),
          name_en: nameEn.trim(),
          ...(found && {
            location: { lat: found.lat, lon: found.lon, ...(found.city && { city: found.city[language] }) },
          }),
        },
      }),
    onSuccess: async ({ data }) => {
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
    if (code.trim() !== '' && !isPlaceWrong) creation.mutate();
  }
  return (
    <Dialog
      title={t('createTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={form} look="primary" isPending={creation.isPending}>
            {common('create')}
          </Button>
        </>
      }
    >
      <form id={form} className="branch-form" onSubmit={send} noValidate>
        {error !== null && !isTaken && Object.keys(fields).length === 0 && (
          <Notice tone="bad">{explain(error).title}</Notice>
        )}
        <Field
          label={t('code')}
          hint={t('codeHint')}
          value={code}
          onChange={setCode}
          error={isMissing ? common('required') : isTaken ? t('codeTaken') : fields.iv_id}
          maxLength={50}
          autoFocus
          ltr
        />
        <Field label={t('nameAr')} value={nameAr} onChange={setNameAr} error={fields.name_ar} maxLength={255} />
        <Field label={t('nameEn')} value={nameEn} onChange={setNameEn} error={fields.name_en} maxLength={255} />
        <Field
          label={t('place')}
          hint={t('placeHint')}
          value={place}
          onChange={setPlace}
          error={isTried && isPlaceWrong ? t('placeUnknown') : fields.location}
        />
      </form>
    </Dialog>
  );
}
