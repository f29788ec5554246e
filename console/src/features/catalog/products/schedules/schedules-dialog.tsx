import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../../i18n/index.ts';
import { useApi, useExplainError, useRead, useReadAgain } from '../../../../platform/index.ts';
import { Badge, Button, Dialog, EmptyState, Loaded, showToast, type Tone } from '../../../../ui/index.ts';
import { useMayCatalog } from '../../may-catalog.ts';
import './schedules.css';
import { schedulesWords } from './words.ts';

type Schedule = Schemas['PriceSchedule'];
const SHOWN = 50;
const TONES: Record<Schedule['status'], Tone> = { scheduled: 'info', active: 'good', ended: 'plain' };

/** The scheduled prices, to look at and to cancel. */
export function SchedulesDialog({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(schedulesWords);
  const schedules = useRead('listScheduledPrices', { query: { limit: SHOWN } });
  return (
    <Dialog title={t('list')} isOpen onClose={onClose} foot={<Button onPress={onClose}>{t('close')}</Button>}>
      <Loaded of={schedules} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon="clock" title={t('none')} hint={t('noneHint')} />
          ) : (
            <ul className="price-schedules">
              {data.map((schedule) => (
                <OneSchedule key={schedule.id} schedule={schedule} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function OneSchedule({ schedule }: { schedule: Schedule }): ReactNode {
  const t = useWords(schedulesWords);
  const { money, number, dateTime } = useFormat();
  const api = useApi();
  const may = useMayCatalog();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const cancel = useMutation({
    mutationFn: () => api.call('cancelScheduledPrices', { path: { id: schedule.id } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('cancelled') });
      await readAgain('listScheduledPrices', 'listSkus');
    },
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
  });
  const { price, percent, starts_at, ends_at, status } = schedule;
  const from = dateTime(starts_at);
  return (
    <li>
      <span className="ui-cell-two">
        <span className="strong">
          {t('skus', { count: schedule.skus })}{' '}
          {price === null ? (
            <span className="ltr">{`${(percent ?? 0) > 0 ? '+' : ''}${number(percent ?? 0)}%`}</span>
          ) : (
            t('to', { price: money(price) })
          )}
        </span>
        <span className="soft small">
          {ends_at === null ? t('since', { from }) : t('period', { from, until: dateTime(ends_at) })}
        </span>
        <Goods schedule={schedule} />
      </span>
      <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>
      {may.update && status !== 'ended' && (
        <Button size="small" isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          {t(status === 'active' ? 'stop' : 'cancel')}
        </Button>
      )}
    </li>
  );
}

/** Which products: the name of the first one. Its SKU may have been deleted since, then its code. */
function Goods({ schedule }: { schedule: Schedule }): ReactNode {
  const t = useWords(schedulesWords);
  const name = useName();
  const [first = ''] = schedule.first_sku_iv_ids;
  const { data: sku, isError } = useRead('getSku', { path: { ivId: first } }, { enabled: first !== '' });
  const shown = sku === undefined ? (isError ? first : '') : name(sku) || first;
  return (
    <bdi className="soft small clip">{schedule.skus > 1 && shown !== '' ? t('andOthers', { name: shown }) : shown}</bdi>
  );
}
