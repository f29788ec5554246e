import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useLanguage, useWords } from '../../i18n/index.ts';
import { Card, EmptyState, Icon, Loaded } from '../../ui/index.ts';
import { type Sections, useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

type Alert = Sections['alerts'][number];
const ROWS = 6;
const TOGETHER = ['posts', 'alerts'] as const;

/** The target of each alert: path and search parameters. */
const CAUSES: Record<Alert['kind'], (ref: string) => { to: string; search?: Record<string, string> }> = {
  low_stock: (ref) => ({ to: `/forecasts/${encodeURIComponent(ref)}` }),
  failing_webhook: (ref) => ({ to: `/webhooks/${ref}` }),
  failing_connector: (ref) => ({ to: `/apps/${ref}` }),
  cancellation_spike: () => ({ to: '/orders', search: { status: 'CANCELLED' } }),
  overdue_fee: () => ({ to: '/settings/billing' }),
};

/** Announcements, then alerts. The area has a fixed height. */
export function Alerts({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const alerts = useSection('alerts', range, TOGETHER);
  return (
    <Card title={t('alerts')}>
      <div className="home-needs">
        <Posts range={range} />
        <Loaded of={alerts} rows={ROWS}>
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
      </div>
    </Card>
  );
}

/** One line each, expandable: they stand above the alerts and must not push them out of view. */
function Posts({ range }: { range: Range }): ReactNode {
  const language = useLanguage();
  // A failure needs no message: the home page works without it.
  const posts = useSection('posts', range, TOGETHER).data ?? [];
  if (posts.length === 0) return null;
  return (
    <ul className="home-posts">
      {posts.map((post) => (
        <li key={post.id}>
          <details>
            <summary>{language === 'ar' ? post.title_ar : post.title_en}</summary>
            <p>{language === 'ar' ? post.body_ar : post.body_en}</p>
          </details>
        </li>
      ))}
    </ul>
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
