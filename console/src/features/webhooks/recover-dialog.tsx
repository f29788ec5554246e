import { parseDateTime } from '@internationalized/date';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { DayTimeField } from '../../ui/day-field.tsx';
import { Button, Dialog, Notice, Select, showToast } from '../../ui/index.ts';
import type { Subscription } from './health.ts';
import { webhooksWords } from './words.ts';

const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, threeDays: 72 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS };
type Span = keyof typeof SPANS | 'success' | 'exact';

/** Sends all failed and skipped deliveries since a time again. */
export function RecoverDialog({ row, onClose }: { row: Subscription; onClose(): void }): ReactNode {
  const t = useWords(webhooksWords);
  const common = useWords(commonWords);
  const { timeZone } = useFormat();
  const explain = useExplainError();
  const api = useApi();
  const readAgain = useReadAgain();
  const hasSuccess = row.last_success_at !== '';
  const [span, setSpan] = useState<Span>(hasSuccess ? 'success' : 'day');
  const [exact, setExact] = useState('');
  const since = sinceOf(span, exact, row.last_success_at, timeZone);
  const recover = useMutation({
    mutationFn: async (from: string) => {
      const queued = await api.call('recoverWebhookDeliveries', { path: { id: row.id }, body: { since: from } });
      return api.finishJob(queued.data.job_id);
    },
    onSuccess: async ({ status, result }) => {
      const recovered = (result as { recovered?: unknown } | null)?.recovered;
      if (status === 'succeeded') {
        showToast({ tone: 'good', text: t('recovered', { count: typeof recovered === 'number' ? recovered : 0 }) });
      } else showToast({ tone: 'bad', text: t('recoverFailed') });
      await readAgain('listWebhookDeliveries', 'getWebhookSubscription');
      onClose();
    },
  });
  const options: { value: Span; text: string }[] = [
    ...(hasSuccess ? [{ value: 'success' as const, text: t('since.success') }] : []),
    ...(['hour', 'day', 'threeDays', 'week', 'month'] as const).map((value) => ({ value, text: t(`since.${value}`) })),
    { value: 'exact', text: t('since.exact') },
  ];
  const refused = recover.error === null ? undefined : explain(recover.error);
  return (
    <Dialog
      title={t('recoverTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            look="primary"
            isDisabled={since === undefined || row.status === 'disabled'}
            isPending={recover.isPending}
            onPress={() => since !== undefined && recover.mutate(since)}
          >
            {recover.isPending ? t('recovering') : t('recover')}
          </Button>
        </>
      }
    >
      <p>{t('recoverText')}</p>
      {row.status === 'disabled' && <Notice tone="warn">{t('recoverDisabled')}</Notice>}
      {refused !== undefined && (
        <Notice tone="bad">
          {refused.title} {fieldErrors(recover.error).since}
        </Notice>
      )}
      <Select<Span> label={t('since')} options={options} value={span} onChange={setSpan} />
      {span === 'exact' && <DayTimeField label={t('since.exact')} value={exact} onChange={setExact} />}
    </Dialog>
  );
}

/** A typed time is in the organization's time zone, not the browser's. */
function sinceOf(span: Span, exact: string, lastSuccess: string, timeZone: string): string | undefined {
  if (span === 'success') return new Date(lastSuccess).toISOString();
  if (span !== 'exact') return new Date(Date.now() - SPANS[span]).toISOString();
  try {
    return parseDateTime(exact).toDate(timeZone).toISOString();
  } catch {
    return undefined;
  }
}
