import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Field, Notice, Select } from '../../../ui/index.ts';
import { readAmount } from '../parts/amount.ts';
import { Applications } from '../parts/applications.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { SHOWS_MONEY } from './after-money.ts';
import type { Tenant } from './tenant.ts';
import { organizationsWords } from './words.ts';

const METHODS = [
  'bank_transfer',
  'sadad',
  'cheque',
  'cash',
  'card',
  'credit_card',
  'debit_card',
  'online',
  'wallet',
] as const;
type Method = (typeof METHODS)[number];

/** Records a manual payment, then shows which fees it paid. */
export function RecordPayment({ one, onClose }: { one: Tenant; onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const say = useSay();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { money } = useFormat();
  const [typed, setTyped] = useState('');
  const [method, setMethod] = useState<Method>('bank_transfer');
  const [reference, setReference] = useState('');
  const [isTried, setTried] = useState(false);
  const amount = readAmount(typed);
  const recording = useMutation({
    mutationFn: (amount_sar: number) => {
      const body = { organization_id: one.id, amount_sar, method, reference: reference.trim() };
      return api.call('recordBillingPayment', { body, idempotencyKey: keyFor(body) });
    },
    onSuccess: () => readAgain(...SHOWS_MONEY),
  });
  const refused = fieldErrors(recording.error);
  const { data } = recording;
  if (data !== undefined) {
    return (
      <Dialog
        title={t('paymentDone', { amount: money(data.total_sar) })}
        isOpen
        onClose={onClose}
        foot={
          <Button look="primary" onPress={onClose}>
            {t('done')}
          </Button>
        }
      >
        {data.resumed && <Notice tone="good">{t('paymentResumed')}</Notice>}
        <Applications label={t('paymentDone', { amount: money(data.total_sar) })} settled={data} />
      </Dialog>
    );
  }
  function send(): void {
    setTried(true);
    if (amount !== undefined && reference.trim() !== '') recording.mutate(amount);
  }
  return (
    <FormDialog
      title={t('recordPayment')}
      onClose={onClose}
      onSend={send}
      send={t('record')}
      isBusy={recording.isPending}
      error={recording.error}
    >
      <p className="soft">{t('paymentText')}</p>
      <div className="operator-pair">
        <Field
          label={shared('amountSar')}
          hint={shared('amountHint')}
          value={typed}
          onChange={setTyped}
          error={isTried && amount === undefined ? shared('amountWrong') : refused.amount_sar}
          inputMode="decimal"
          autoFocus
          ltr
        />
        <Select<Method>
          label={t('method')}
          value={method}
          onChange={(value) => setMethod(value)}
          options={METHODS.map((value) => ({ value, text: say('method', value) }))}
        />
      </div>
      <Field
        label={t('reference')}
        hint={t('referenceHint')}
        value={reference}
        onChange={setReference}
        error={isTried && reference.trim() === '' ? common('required') : refused.reference}
        maxLength={255}
      />
    </FormDialog>
  );
}
