import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../../platform/index.ts';
import { Button, Dialog, Field, Notice, Select, showToast } from '../../../../ui/index.ts';
import { useBranches } from '../../branches.ts';
import { readNumber } from '../../read-number.ts';
import type { Product } from '../product-values.ts';
import { schedulesWords } from './words.ts';

const EVERY_BRANCH = '';
/** The maximum of one call. */
const MOST_SKUS = 500;

/** Schedules a percentage for the selected products in one branch or in all. */
export function ScheduleDialog(props: { products: readonly Product[]; onDone(): void; onClose(): void }): ReactNode {
  const { products, onClose } = props;
  const t = useWords(schedulesWords);
  const common = useWords(commonWords);
  const name = useName();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const branches = useBranches();
  const [percent, setPercent] = useState('');
  const [branch, setBranch] = useState(EVERY_BRANCH);
  const [starts, setStarts] = useState('');
  const [ends, setEnds] = useState('');
  const value = readNumber(percent);
  const isWrong = value === undefined || value < -90 || value > 500;
  const isEndWrong = ends !== '' && starts !== '' && new Date(ends) <= new Date(starts);
  const shops = branch === EVERY_BRANCH ? (branches.data ?? []).map(({ iv_id }) => iv_id) : [branch];
  // The code of an SKU is the product's, an underscore and the branch's.
  const skus = products.flatMap(({ iv_id }) => shops.map((shop) => `${iv_id}_${shop}`));
  const isTooMany = skus.length > MOST_SKUS;
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        sku_iv_ids: skus,
        percent: value ?? 0,
        starts_at: new Date(starts).toISOString(),
        ...(ends !== '' && { ends_at: new Date(ends).toISOString() }),
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
            isDisabled={isWrong || isEndWrong || starts === '' || isTooMany || skus.length === 0}
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
        <Field
          label={t('percent')}
          value={percent}
          onChange={setPercent}
          error={percent !== '' && isWrong ? t('percentBad') : undefined}
          hint={t('percentHint')}
          ltr
          autoFocus
          inputMode="decimal"
        />
        <Select
          label={t('branch')}
          value={branch}
          onChange={setBranch}
          options={[
            { value: EVERY_BRANCH, text: t('everyBranch') },
            ...(branches.data ?? []).map((one) => ({ value: one.iv_id, text: name(one) || one.iv_id })),
          ]}
        />
        <Field label={t('starts')} type="datetime-local" value={starts} onChange={setStarts} ltr />
        <Field
          label={t('ends')}
          type="datetime-local"
          value={ends}
          onChange={setEnds}
          error={isEndWrong ? t('endsBad') : undefined}
          hint={t('endsHint')}
          ltr
        />
      </div>
    </Dialog>
  );
}
