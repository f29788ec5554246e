import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { reloadAccount, useApi, useMay, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Loaded, Notice, showToast } from '../../../ui/index.ts';
import { Refusal } from '../refusal.tsx';
import './invoice.css';
import { payWords } from './pay-words.ts';

/** The sandbox's payment page: in place of a payment company's. */
export default function Checkout({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const t = useWords(payWords);
  const common = useWords(commonWords);
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const { money } = useFormat();
  const checkout = useRead('getBillingCheckout', { path: { id } });
  const finishing = useMutation({
    mutationFn: (operation: 'confirmBillingCheckout' | 'cancelBillingCheckout') =>
      api.call(operation, { path: { id } }),
    onSuccess: async ({ status, amount_sar }) => {
      const isPaid = status === 'succeeded';
      showToast({
        tone: isPaid ? 'good' : 'info',
        text: isPaid ? t('paid', { amount: money(amount_sar) }) : t('cancelled'),
      });
      onClose();
      await readAgain('readOwnBilling', 'listOwnFees', 'listOwnLedger', 'listOwnInvoices', 'getBillingCheckout');
      await reloadAccount();
    },
  });
  const isPending = checkout.data?.status === 'pending' && may('update:Settings');
  return (
    <Dialog
      title={t('checkout')}
      isOpen
      onClose={onClose}
      foot={
        isPending ? (
          <>
            <Button isDisabled={finishing.isPending} onPress={() => finishing.mutate('cancelBillingCheckout')}>
              {t('cancelIt')}
            </Button>
            <Button
              look="primary"
              isPending={finishing.isPending}
              onPress={() => finishing.mutate('confirmBillingCheckout')}
            >
              {t('confirm')}
            </Button>
          </>
        ) : (
          <Button onPress={onClose}>{common('close')}</Button>
        )
      }
    >
      <Loaded of={checkout} rows={2}>
        {({ amount_sar, status }) => (
          <>
            <Refusal error={finishing.error} />
            <p className="checkout-amount">{money(amount_sar)}</p>
            {status === 'pending' ? (
              <Notice tone="info">{t('sandbox')}</Notice>
            ) : (
              <Notice tone={status === 'succeeded' ? 'good' : 'warn'}>
                {status === 'succeeded' ? t('isPaid') : t('isCancelled')}
              </Notice>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
