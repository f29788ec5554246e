import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { readNumber } from '../../../i18n/read-number.ts';
import { fieldErrors, useApi } from '../../../platform/index.ts';
import { Button, Dialog, Field } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { payWords } from './pay-words.ts';

/** Opens a payment of the outstanding amount, or of another one, and goes to its checkout. */
export default function Pay(props: { owedSar: number; onOpened(id: string): void; onClose(): void }): ReactNode {
  const t = useWords(payWords);
  const common = useWords(commonWords);
  const api = useApi();
  const [typed, setTyped] = useState(props.owedSar > 0 ? props.owedSar.toFixed(2) : '');
  const [isTried, setTried] = useState(false);
  // The same key for the same amount: a second press after a lost answer opens no second payment.
  const [key] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const amount = readNumber(typed);
  const isRight = amount !== undefined && amount > 0 && Math.round(amount * 100) / 100 === amount;
  const opening = useMutation({
    mutationFn: (amount_sar: number) =>
      api.call('openBillingCheckout', { body: { amount_sar }, idempotencyKey: `${key}-${amount_sar}` }),
    onSuccess: ({ id }) => props.onOpened(id),
  });
  return (
    <Dialog
      title={t('title')}
      isOpen
      onClose={props.onClose}
      foot={
        <>
          <Button onPress={props.onClose}>{common('cancel')}</Button>
          <Button look="primary" type="submit" form="pay-form" isPending={opening.isPending}>
            {t('toCheckout')}
          </Button>
        </>
      }
    >
      <Form
        id="pay-form"
        onSend={() => {
          setTried(true);
          if (isRight) opening.mutate(amount);
        }}
      >
        <Refusal error={opening.error} />
        <Field
          label={t('amount')}
          hint={t('amountHint')}
          value={typed}
          onChange={setTyped}
          error={isTried && !isRight ? t('amountWrong') : fieldErrors(opening.error).amount_sar}
          inputMode="decimal"
          autoFocus
          ltr
        />
      </Form>
    </Dialog>
  );
}
