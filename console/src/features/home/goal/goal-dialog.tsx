import type { Answer } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { readNumber } from '../../../i18n/read-number.ts';
import { useApi, useExplainError, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Field } from '../../../ui/index.ts';
import { goalWords } from './words.ts';

const MOST = 1e12;

/** Sets, changes or removes the goal of the month. */
export default function GoalDialog(props: {
  goal: Answer<'readRevenueGoal'>;
  title: string;
  onClose(): void;
}): ReactNode {
  const t = useWords(goalWords);
  const common = useWords(commonWords);
  const explain = useExplainError();
  const { roundMoney } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const { month, revenue, projected, currency } = props.goal;
  const [text, setText] = useState(revenue === null ? '' : String(revenue));
  const [isWrong, setWrong] = useState(false);
  const save = useMutation({
    mutationFn: (next: number | null) => api.call('changeRevenueGoal', { body: { month, revenue: next } }),
    async onSuccess() {
      await readAgain('readRevenueGoal');
      props.onClose();
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const next = readNumber(text);
    const isGood = next !== undefined && next >= 1 && next <= MOST;
    setWrong(!isGood);
    if (isGood) save.mutate(next);
  }
  const failure = save.error === null ? undefined : explain(save.error).title;
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      foot={
        <>
          {revenue !== null && (
            <Button onPress={() => save.mutate(null)} isPending={save.isPending}>
              {t('remove')}
            </Button>
          )}
          <Button onPress={props.onClose}>{common('cancel')}</Button>
          <Button look="primary" type="submit" form="revenue-goal" isPending={save.isPending}>
            {common('save')}
          </Button>
        </>
      }
    >
      <form id="revenue-goal" onSubmit={submit}>
        <Field
          label={t('revenue', { currency })}
          hint={t('hint', { amount: roundMoney(projected, currency) })}
          value={text}
          onChange={setText}
          inputMode="decimal"
          ltr
          autoFocus
          error={isWrong ? t('wrong') : failure}
        />
      </form>
    </Dialog>
  );
}
