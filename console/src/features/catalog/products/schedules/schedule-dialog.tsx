import { parseDateTime } from '@internationalized/date';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../../platform/index.ts';
import { DayTimeField } from '../../../../ui/day-field.tsx';
import { Button, Dialog, Notice, showToast } from '../../../../ui/index.ts';
import { BranchField, PercentField, usePercentFields } from '../prices/percent-fields.tsx';
import type { Product } from '../product-values.ts';
import { schedulesWords } from './words.ts';

/** The maximum of one call. */
const MOST_SKUS = 500;

/** Schedules a percentage for the selected products in one branch or in all. */
export function ScheduleDialog(props: { products: readonly Product[]; onDone(): void; onClose(): void }): ReactNode {
  const { products, onClose } = props;
  const t = useWords(schedulesWords);
  const common = useWords(commonWords);
  const { timeZone } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const { percent, branchIvIds, fields } = usePercentFields();
  const [starts, setStarts] = useState('');
  const [ends, setEnds] = useState('');
  const isEndWrong = ends !== '' && starts !== '' && ends <= starts;
  // The code of an SKU is the product's, an underscore and the branch's.
  const skus = products.flatMap(({ iv_id }) => branchIvIds.map((branch) => `${iv_id}_${branch}`));
  const isTooMany = skus.length > MOST_SKUS;
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        sku_iv_ids: skus,
        percent: percent ?? 0,
        starts_at: instantOf(starts, timeZone),
        ...(ends !== '' && { ends_at: instantOf(ends, timeZone) }),
      };
      return (await api.call('schedulePrices', { body })).data;
    },
    onSuccess: async (created) => {
      showToast({ tone: 'good', text: t('done', { count: created.skus }) });
      props.onDone();
      await readAgain('listScheduledPrices');
    },
  });
  return (
    <Dialog
      title={t('title', { count: products.length })}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            look="primary"
            isDisabled={percent === undefined || isEndWrong || starts === '' || isTooMany || skus.length === 0}
            isPending={save.isPending}
            onPress={() => save.mutate()}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="catalog-stack">
        {save.isError && <Notice tone="bad">{explain(save.error).title}</Notice>}
        {isTooMany && <Notice tone="warn">{t('tooMany', { count: MOST_SKUS })}</Notice>}
        <PercentField fields={fields} hint={t('percentHint')} />
        <BranchField fields={fields} />
        <DayTimeField label={t('starts')} value={starts} onChange={setStarts} />
        <DayTimeField
          label={t('ends')}
          value={ends}
          onChange={setEnds}
          error={isEndWrong ? t('endsBad') : undefined}
          hint={t('endsHint')}
          clearable
        />
      </div>
    </Dialog>
  );
}

/** A typed time is in the organization's time zone, not the browser's. */
function instantOf(text: string, timeZone: string): string {
  return parseDateTime(text).toDate(timeZone).toISOString();
}
