import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useMay, useRead, useReadAgain } from '../../platform/index.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Badge, Button, Dialog, EmptyState, Facts, Loaded, showToast, Tabs } from '../../ui/index.ts';
import { deliveryState, deliveryTone } from './health.ts';
import { useSayFailure } from './subscription-acts.tsx';
import { webhooksWords } from './words.ts';

const AGAIN_MS = 2_000;
type Delivery = Schemas['DeliveryWithPayload'];

/** One delivery: what was sent, and how each attempt went. */
export function DeliveryPanel(props: { subscriptionId: string; id: string; onClose(): void }): ReactNode {
  const t = useWords(webhooksWords);
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const say = useSayFailure();
  const path = { id: props.subscriptionId, deliveryId: props.id };
  const delivery = useRead('getWebhookDelivery', { path }, { refetchInterval: AGAIN_MS });
  const replay = useMutation({
    mutationFn: () => api.call('replayWebhookDelivery', { path }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('replayed') });
      await readAgain('getWebhookDelivery', 'listWebhookDeliveries');
    },
    onError: say,
  });
  return (
    <Dialog
      title={t('delivery')}
      isOpen
      onClose={props.onClose}
      place="side"
      foot={
        may('update:Webhooks') ? (
          <Button look="primary" isPending={replay.isPending} onPress={() => replay.mutate()}>
            {t('replay')}
          </Button>
        ) : undefined
      }
    >
      <Loaded of={delivery} rows={8}>
        {(row) => <OneDelivery row={row} />}
      </Loaded>
    </Dialog>
  );
}

function OneDelivery({ row }: { row: Delivery }): ReactNode {
  const t = useWords(webhooksWords);
  const { dateTime, relative, number } = useFormat();
  const orderId = typeof row.payload?.order_id === 'string' ? row.payload.order_id : '';
  return (
    <>
      <Facts
        facts={[
          [
            t('column.event'),
            <span key="event" className="ltr strong">
              {row.event_type}
            </span>,
          ],
          [
            t('column.status'),
            <Badge key="status" tone={deliveryTone(deliveryState(row))}>
              {t(`status.${deliveryState(row)}`)}
            </Badge>,
          ],
          [
            'webhook-id',
            <span key="id" className="ltr">
              {row.event_id}
            </span>,
          ],
          [t('created'), dateTime(row.created)],
          row.delivered_at === null ? undefined : [t('status.delivered'), dateTime(row.delivered_at)],
          row.next_attempt_at === null ? undefined : [t('next'), relative(row.next_attempt_at)],
          orderId === ''
            ? undefined
            : [
                t('order'),
                <Link key="order" to="/orders/$id" params={{ id: orderId }}>
                  {t('openOrder')}
                </Link>,
              ],
        ]}
      />
      <section className="webhooks-attempts" aria-label={t('column.attempts')}>
        <h3>
          {t('column.attempts')} <span className="soft">{number(row.attempt_log.length)}</span>
        </h3>
        {row.attempt_log.length === 0 && <p className="soft small">{t('noAttempts')}</p>}
        <ol>
          {row.attempt_log.toReversed().map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      </section>
      <Tabs
        label={t('sent')}
        tabs={[
          {
            id: 'payload',
            title: t('payload'),
            content:
              row.payload === null ? (
                <EmptyState title={t('payloadGone')} />
              ) : (
                <CodeBlock label={t('payload')} text={JSON.stringify(row.payload, null, 2)} tall />
              ),
          },
          {
            id: 'headers',
            title: t('headers'),
            content: (
              <>
                <CodeBlock label={t('headers')} text={headersText(row.headers)} />
                <p className="soft small">{t('headersHint')}</p>
              </>
            ),
          },
        ]}
      />
    </>
  );
}

function Attempt({ attempt }: { attempt: Schemas['DeliveryAttempt'] }): ReactNode {
  const t = useWords(webhooksWords);
  const { dateTime, number } = useFormat();
  const { at, status_code, error, duration_ms, response_excerpt } = attempt;
  const isGood = error === '' && status_code !== null && status_code >= 200 && status_code < 300;
  return (
    <li className="webhooks-attempt" data-good={isGood || undefined}>
      <div className="webhooks-attempt-line">
        <strong className="ltr">{status_code ?? '—'}</strong>
        <span>{error !== '' && <bdi>{error}</bdi>}</span>
        <span className="soft small">{t('took', { ms: number(Math.round(duration_ms)) })}</span>
        <time className="soft small" dateTime={at}>
          {dateTime(at)}
        </time>
      </div>
      {response_excerpt !== '' && <pre className="webhooks-excerpt">{response_excerpt}</pre>}
    </li>
  );
}

function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
