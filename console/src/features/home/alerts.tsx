import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useLanguage, useWords } from '../../i18n/index.ts';
import { Card, EmptyState, Icon, Loaded } from '../../ui/index.ts';
import { type Sections, useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

type Alert = Sections['alerts'][number];
const ROWS = 6;

/** Where each leads: the page's path, and what to show on it. */
const CAUSES: Record<Alert['kind'], (ref: string) => { to: string; search?: Record<string, string> }> = {
  low_stock: (ref) => ({ to: `/forecasts/${encodeURIComponent(ref)}` }),
  failing_webhook: (ref) => ({ to: `/webhooks/${ref}` }),
  failing_connector: (ref) => ({ to: `/apps/${ref}` }),
  cancellation_spike: () => ({ to: '/orders', search: { status: 'CANCELLED' } }),
  overdue_fee: () => ({ to: '/settings/billing' }),
};

export function Alerts({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const alerts = useSection('alerts', range);
  return (
    <Card title={t('alerts')}>
      <Loaded of={alerts} rows={4}>
        {(rows) =>
          rows === null ? (
            <EmptyState icon="check" title={t('noAlerts')} hint={t('noAlertsHint')} />
          ) : (
            <ul className="home-alerts">
              {rows.slice(0, ROWS).map((alert) => (
                <OneAlert key={`${alert.kind} ${alert.ref}`} alert={alert} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function OneAlert({ alert }: { alert: Alert }): ReactNode {
  const language = useLanguage();
  const { relative } = useFormat();
  const { to, search } = CAUSES[alert.kind](alert.ref ?? '');
  const text = language === 'ar' ? alert.message_ar : alert.message_en;
  return (
    <li className="home-alert" data-severity={alert.severity}>
      <Icon name="alert" />
      <div>
        <Link to={to as '/orders'} search={(search ?? {}) as never}>
          {text}
        </Link>
        <div className="soft small">{relative(alert.at)}</div>
      </div>
    </li>
  );
}
