import { DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useOrganization, useReadAgain } from '../../../platform/index.ts';
import { DayField } from '../../../ui/day-field.tsx';
import { Button, Checkbox, Dialog, Field, Notice, showToast } from '../../../ui/index.ts';
import { noonOf } from './days.ts';
import { type Holiday, holidaysAfter } from './holidays.ts';
import { closuresWords } from './words.ts';

/** For this branch or for all. A suggestion fills the form, so that its days can be changed. */
export default function AddClosure(props: { branch: Schemas['Branch']; today: string; onClose(): void }): ReactNode {
  const t = useWords(closuresWords);
  const common = useWords(commonWords);
  const { shortDate } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const { branch_id } = useOrganization();
  const formId = useId();
  const { branch, today, onClose } = props;
  const [days, setDays] = useState({ from: '', until: '' });
  const [reasons, setReasons] = useState({ ar: '', en: '' });
  const [isForAll, setForAll] = useState(false);
  const [isTried, setTried] = useState(false);
  const holidays = useMemo(() => holidaysAfter(today), [today]);
  const creation = useMutation({
    mutationFn: async () => {
      const body = { ...days, reason_ar: reasons.ar.trim(), reason_en: reasons.en.trim() };
      if (isForAll) return (await api.call('addClosures', { body: { ...body, all: true } })).data.created;
      await api.call('addClosure', { path: { ivId: branch.iv_id }, body });
      return undefined;
    },
    onSuccess: async (count) => {
      showToast({ tone: 'good', text: count === undefined ? t('added') : t('addedAll', { count }) });
      onClose();
      await readAgain('listClosures', 'getBranch', 'listBranches');
    },
  });
  const refused = fieldErrors(creation.error);
  const missing = (day: string) => (isTried && day === '' ? common('required') : undefined);
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (days.from !== '' && days.until !== '') creation.mutate();
  }
  function choose({ name, from, until }: Holiday): void {
    setDays({ from, until });
    setReasons({ ar: closuresWords.ar[`holiday.${name}`], en: closuresWords.en[`holiday.${name}`] });
  }
  return (
    <Dialog
      title={t('addTitle')}
      isOpen
      onClose={onClose}
      isFilled={days.from !== '' || days.until !== ''}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isPending={creation.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form id={formId} className="closures-form" onSubmit={send} noValidate>
        <Refusal error={creation.error} />
        <div>
          <div className="ui-label">{t('suggestions')}</div>
          <div className="closures-holidays">
            {holidays.map((holiday) => (
              <Button key={holiday.name} size="small" onPress={() => choose(holiday)}>
                {`${t(`holiday.${holiday.name}`)} · ${shortDate(noonOf(holiday.from))}`}
              </Button>
            ))}
          </div>
          <p className="soft small">{t('moon')}</p>
        </div>
        <div className="closures-pair">
          <DayField
            label={t('from')}
            value={days.from}
            onChange={(from) => setDays(({ until }) => ({ from, until: until === '' || until < from ? from : until }))}
            error={missing(days.from) ?? refused.from}
          />
          <DayField
            label={t('until')}
            value={days.until}
            onChange={(until) => setDays(({ from }) => ({ from, until }))}
            error={missing(days.until) ?? refused.until}
          />
          <Field
            label={t('reasonAr')}
            value={reasons.ar}
            onChange={(ar) => setReasons(({ en }) => ({ ar, en }))}
            maxLength={255}
          />
          <Field
            label={t('reasonEn')}
            value={reasons.en}
            onChange={(en) => setReasons(({ ar }) => ({ ar, en }))}
            maxLength={255}
          />
        </div>
        {branch_id === null && (
          <Checkbox isSelected={isForAll} onChange={setForAll}>
            {t('everyBranch')}
          </Checkbox>
        )}
      </form>
    </Dialog>
  );
}

function Refusal({ error }: { error: Error | null }): ReactNode {
  const t = useWords(closuresWords);
  const explain = useExplainError();
  if (error === null || (error instanceof DukkanError && error.status === 400)) return null;
  const isOverlap = error instanceof DukkanError && error.reason === 'closures-overlap';
  const branches = isOverlap && typeof error.details === 'object' ? String(error.details?.branch_iv_ids ?? '') : '';
  return <Notice tone="bad">{isOverlap ? t('overlap', { branches }) : explain(error).title}</Notice>;
}
