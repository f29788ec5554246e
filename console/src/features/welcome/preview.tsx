import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { Sparkline } from '../../charts/index.ts';
import { orderWords, useFormat, useLanguage, useWords } from '../../i18n/index.ts';
import { Badge, Icon, type IconName, orderTone } from '../../ui/index.ts';
import { welcomeWords } from './words.ts';

const ICONS: readonly IconName[] = ['home', 'orders', 'customers', 'products', 'matrix', 'branches', 'forecasts'];
const SHAPE = [4, 6, 5, 8, 7, 9, 12, 10, 11, 14, 13, 16];

type Row = { code: string; en: string; ar: string; status: Schemas['OrderStatus']; total: number };
const ROWS: readonly Row[] = [
  { code: 'A-1042', en: 'Example street branch', ar: 'فرع الشارع', status: 'received', total: 86.5 },
  { code: 'A-1041', en: 'Example mall branch', ar: 'فرع المجمّع', status: 'ready_for_pickup', total: 142 },
  { code: 'A-1040', en: 'Example street branch', ar: 'فرع الشارع', status: 'dispatched', total: 59.75 },
  { code: 'A-1039', en: 'Example north branch', ar: 'فرع الشمال', status: 'delivered', total: 210 },
];

/** A preview built from console components. It is inert, so screen readers get one image. */
export function Preview(): ReactNode {
  const t = useWords(welcomeWords);
  const status = useWords(orderWords);
  const language = useLanguage();
  const { money } = useFormat();
  return (
    <figure className="preview">
      <div className="preview-window" role="img" aria-label={t('previewLabel')}>
        <div className="preview-side">
          <span className="welcome-mark" data-size="small">
            <Icon name="branches" />
          </span>
          {ICONS.map((icon) => (
            <span key={icon} className="preview-icon" data-current={icon === 'orders' || undefined}>
              <Icon name={icon} />
            </span>
          ))}
        </div>
        <div className="preview-main">
          <div className="preview-cards">
            {[0, 1, 2].map((card) => (
              <div key={card} className="preview-card">
                <span className="preview-line" />
                <Sparkline values={SHAPE.map((value, index) => value + ((index * (card + 2)) % 5))} />
              </div>
            ))}
          </div>
          <div className="preview-rows">
            {ROWS.map((row) => (
              <div key={row.code} className="preview-row">
                <span className="ui-cell-two">
                  <span className="ltr strong">{row.code}</span>
                  <span className="soft small clip">{row[language]}</span>
                </span>
                <Badge tone={orderTone(row.status)}>{status(`status.${row.status}`)}</Badge>
                <span className="end">{money(row.total)}</span>
              </div>
            ))}
          </div>
        </div>
      </div>
      <figcaption className="soft small">{t('previewNote')}</figcaption>
    </figure>
  );
}
