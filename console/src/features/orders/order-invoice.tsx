import { DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useMay, useRead, useReadAgain } from '../../platform/index.ts';
import { saveFile } from '../../platform/save-file.ts';
import { useBranchName } from '../../ui/branch-names.ts';
import { useExplainInvoice } from '../../ui/explain-invoice.ts';
import { Button, Card, EmptyState, Loaded, Notice, showToast } from '../../ui/index.ts';
import { PrintSheet, Receipt, type ReceiptData } from '../../ui/receipt/index.ts';
import { subtotalOf } from './subtotal.ts';
import { useLineNames } from './use-line-names.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

/** The invoice of an order, or a button to issue it. An issued invoice does not change with the order. */
export function OrderInvoice({ order }: { order: Order }): ReactNode {
  const t = useWords(ordersWords);
  const invoice = useRead('getInvoice', { path: { id: order.id } }, { staleTime: 60_000 });
  const isNone = invoice.data === undefined && invoice.error instanceof DukkanError && invoice.error.status === 404;
  return (
    <Card title={t('invoice')}>
      {isNone ? (
        <NoInvoice order={order} />
      ) : (
        <Loaded of={invoice}>{(row) => <Issued invoice={row} order={order} />}</Loaded>
      )}
    </Card>
  );
}

function NoInvoice({ order }: { order: Order }): ReactNode {
  const t = useWords(ordersWords);
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const why = useExplainInvoice();
  const issue = useMutation({
    mutationFn: () => api.call('issueInvoice', { path: { id: order.id } }),
    onSuccess: async ({ data }) => {
      showToast({ tone: 'good', text: t('issued', { number: data.invoice_number }) });
      await readAgain('getInvoice', 'readOrderTimeline');
    },
  });
  const mayIssue = may('create:Orders') && order.status !== 'cancelled' && order.payment.status !== 'refunded';
  return (
    <>
      {issue.isError && <Notice tone="bad">{t('notIssued', { why: why(issue.error) })}</Notice>}
      <EmptyState
        icon="orders"
        title={t('noInvoice')}
        {...(mayIssue && {
          hint: t('noInvoiceHint'),
          action: (
            <Button isPending={issue.isPending} onPress={() => issue.mutate()}>
              {t('issue')}
            </Button>
          ),
        })}
      />
    </>
  );
}

function Issued({ invoice, order }: { invoice: Schemas['Invoice']; order: Order }): ReactNode {
  const t = useWords(ordersWords);
  const api = useApi();
  const explain = useExplainError();
  const xml = useMutation({
    mutationFn: () => api.call('getInvoice', { path: { id: order.id }, query: { format: 'xml' } }),
    onSuccess: (text) => saveFile(`${invoice.invoice_number}.xml`, text, 'application/xml'),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
  });
  const data = receiptOf(order, invoice, useBranchName()(order.branch), useLineNames(order));
  return (
    <div className="order-invoice">
      <div className="order-invoice-paper">
        <Receipt data={data} />
      </div>
      <PrintSheet>
        <Receipt data={data} />
      </PrintSheet>
      <div className="order-invoice-tools">
        <Button icon="print" onPress={() => window.print()}>
          {t('print')}
        </Button>
        <Button look="quiet" icon="export" isPending={xml.isPending} onPress={() => xml.mutate()}>
          {t('xml')}
        </Button>
      </div>
    </div>
  );
}

function receiptOf(
  order: Order,
  invoice: Schemas['Invoice'],
  branch: string | null,
  names: readonly string[],
): ReceiptData {
  const { amounts, lines, payment, external } = order;
  return {
    invoice,
    orderCode: external.code,
    placedAt: external.placed_at,
    branch,
    currency: amounts.currency,
    lines: lines.map((line, index) => ({
      name: names[index] ?? '—',
      quantity: line.quantity,
      price: line.unit_price,
      total: line.total,
    })),
    amounts: {
      subtotal: subtotalOf(order),
      discounts: amounts.discounts,
      deliveryFee: amounts.delivery_fee,
      serviceFee: amounts.service_fee,
      vat: amounts.vat,
      total: amounts.total,
    },
    paymentMethod: payment.method,
  };
}
