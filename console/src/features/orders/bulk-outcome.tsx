import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useChannelName, useFormat, useLanguage, useWords } from '../../i18n/index.ts';
import { wordMessage } from '../../i18n/refusals/index.ts';
import { Progress } from '../../ui/progress.tsx';
import type { BulkProgress } from './bulk-runner.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

export function BulkRunning({ done, total }: { done: number; total: number }): ReactNode {
  const t = useWords(ordersWords);
  const { number } = useFormat();
  return (
    <div className="orders-bulk">
      <Progress label={t('bulkProgress')} done={done} total={total} />
      <p role="status">{t('bulkRunning', { done: number(done), total: number(total) })}</p>
    </div>
  );
}

/** `title` says how many orders were changed. */
export function BulkOutcome(props: {
  title: string;
  result: BulkProgress;
  total: number;
  orders: readonly Order[];
}): ReactNode {
  const t = useWords(ordersWords);
  const language = useLanguage();
  const channel = useChannelName();
  const { refused, done } = props.result;
  /** `Vendor refused: what the vendor said`, where it said anything. */
  const inWords = (why: string) => {
    if (language === 'en') return why;
    const [, sentence = why, said = ''] = /^(Vendor (?:refused|unavailable)): (.*)$/s.exec(why) ?? [];
    const arabic = wordMessage(language, '', sentence);
    return said === '' ? arabic : `${arabic}: ${said}`;
  };
  return (
    <div className="orders-bulk" role="status">
      <p className="strong">{props.title}</p>
      {props.total > done && <p>{t('bulkStopped', { count: props.total - done })}</p>}
      {refused.size > 0 && (
        <>
          <p>{t('bulkRefused', { count: refused.size })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard access */}
          <section className="orders-refused" aria-label={t('bulkWhy')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('column.order')}</th>
                  <th scope="col">{t('column.channel')}</th>
                  <th scope="col">{t('bulkWhy')}</th>
                </tr>
              </thead>
              <tbody>
                {props.orders
                  .filter(({ id }) => refused.has(id))
                  .map((order) => (
                    <tr key={order.id}>
                      <td>
                        <span className="ltr">{order.external.code}</span>
                      </td>
                      <td>{channel(order.channel.app_slug)}</td>
                      <td>{inWords(refused.get(order.id) ?? '')}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </div>
  );
}
