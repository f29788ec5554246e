import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useMay, useRead, useReadAgain } from '../../platform/index.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Badge, Button, ConfirmDialog, Dialog, Facts, Field, Loaded, Notice, showToast } from '../../ui/index.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { type Paylink, type Provider, paylinkTone } from './tones.ts';
import { paymentsWords } from './words.ts';

const AGAIN_MS = 4_000;

/** One paylink: its link while it is usable, and the available actions. */
export function PaylinkPanel({
  provider,
  id,
  onClose,
}: {
  provider: Provider;
  id: string;
  onClose(): void;
}): ReactNode {
  const t = useWords(paymentsWords);
  const paylink = useRead(
    'getPaylink',
    { path: { id: provider.id, paylinkId: id } },
    { refetchInterval: ({ state }) => (isOpen(state.data?.status) ? AGAIN_MS : false) },
  );
  return (
    <Dialog title={t('paylink')} isOpen onClose={onClose} place="side">
      <Loaded of={paylink} rows={6}>
        {(row) => <OnePaylink row={row} provider={provider} />}
      </Loaded>
    </Dialog>
  );
}

function OnePaylink({ row, provider }: { row: Paylink; provider: Provider }): ReactNode {
  const t = useWords(paymentsWords);
  const name = useName();
  const may = useMay();
  const { money, dateTime, hijri } = useFormat();
  return (
    <>
      <div className="payments-amount">
        <strong>{money(row.amount, row.currency)}</strong>
        <Badge tone={paylinkTone(row.status)}>{t(`status.${row.status}`)}</Badge>
      </div>
      <p className="soft">{t(`status.${row.status}.hint`)}</p>
      {row.status === 'created' && (
        <>
          <CopyField label={t('column.link')} value={row.url} hint={t('linkHint')} />
          <div className="payments-qr">
            <QrCode text={row.url} label={t('qr')} />
          </div>
        </>
      )}
      <Facts
        facts={[
          [t('provider'), name(provider)],
          row.captured_amount === 0 ? undefined : [t('column.captured'), money(row.captured_amount, row.currency)],
          row.refunded_amount === 0 ? undefined : [t('refunded'), money(row.refunded_amount, row.currency)],
          row.order_id === null
            ? undefined
            : [
                t('order'),
                <Link key="order" to="/orders/$id" params={{ id: row.order_id }}>
                  {t('openOrder')}
                </Link>,
              ],
          [
            t('reference'),
            <span key="reference" className="ltr">
              {row.provider_reference}
            </span>,
          ],
          [t('column.created'), dateTime(row.created)],
          [t('hijri'), hijri(row.created)],
          row.expires_at === null || row.status !== 'created' ? undefined : [t('expiresAt'), dateTime(row.expires_at)],
        ]}
      />
      {may('update:Payments') && isOpen(row.status) && <Acts key={`${row.status} ${row.captured_amount}`} row={row} />}
    </>
  );
}

function Acts({ row }: { row: Paylink }): ReactNode {
  const t = useWords(paymentsWords);
  const { money } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const left = Math.round((row.amount - row.captured_amount) * 1000) / 1000;
  const [amount, setAmount] = useState(String(left));
  const [isAsking, setAsking] = useState(false);
  const path = { id: row.provider, paylinkId: row.id };
  const again = () => readAgain('getPaylink', 'listPaylinks', 'getOrder');
  const capture = useMutation({
    mutationFn: (part: number) => api.call('capturePaylink', { path, body: part === left ? {} : { amount: part } }),
    onSuccess: async ({ data }) => {
      const isWhole = data.status === 'captured';
      showToast({ tone: 'good', text: isWhole ? t('capturedAll') : t('capturedPart') });
      await again();
    },
  });
  const cancel = useMutation({
    mutationFn: () => api.call('cancelPaylink', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('cancelled') });
      await again();
    },
    onSettled: () => setAsking(false),
  });
  const error = capture.error ?? cancel.error;
  const refused = error === null ? undefined : explain(error);
  const part = Number(amount.replace(',', '.'));
  const isNumber = amount.trim() !== '' && Number.isFinite(part) && part > 0;
  return (
    <div className="payments-acts">
      {refused !== undefined && fieldErrors(error).amount === undefined && (
        <Notice tone="bad">
          {refused.title} {refused.hint}
        </Notice>
      )}
      {row.status === 'authorized' && (
        <form
          className="payments-capture"
          onSubmit={(event) => {
            event.preventDefault();
            if (isNumber) capture.mutate(part);
          }}
        >
          <Field
            label={t('captureAmount')}
            hint={t('captureLeft', { amount: money(left, row.currency) })}
            value={amount}
            onChange={setAmount}
            error={fieldErrors(error).amount}
            inputMode="decimal"
            ltr
          />
          <Button type="submit" look="primary" isDisabled={!isNumber} isPending={capture.isPending}>
            {t('capture')}
          </Button>
        </form>
      )}
      <Button look="danger" onPress={() => setAsking(true)}>
        {t('cancel')}
      </Button>
      <ConfirmDialog
        title={t('cancelTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => cancel.mutate()}
        confirm={t('cancel')}
        keep={t('keepLink')}
        isBusy={cancel.isPending}
        danger
      >
        <p>{t('cancelText')}</p>
        {row.captured_amount > 0 && <p>{t('cancelCaptured')}</p>}
      </ConfirmDialog>
    </div>
  );
}

function isOpen(status: Paylink['status'] | undefined): boolean {
  return status === 'created' || status === 'authorized';
}
