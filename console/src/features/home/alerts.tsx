import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useLanguage, useName, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { Card, EmptyState, Icon, Loaded, Skeleton } from '../../ui/index.ts';
import { type Sections, useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

type Alert = Sections['alerts'][number];
const ROWS = 6;
/** SKUs named under their number. */
const LOWEST = 3;
const TOGETHER = ['posts', 'alerts'] as const;

/** The target of each alert: path and search parameters. */
const CAUSES: Record<Alert['kind'], (ref: string) => { to: string; search?: Record<string, string> }> = {
  low_stock: (ref) => ({ to: `/forecasts/${encodeURIComponent(ref)}` }),
  failing_webhook: (ref) => ({ to: `/webhooks/${ref}` }),
  failing_connector: (ref) => ({ to: `/apps/${ref}` }),
  cancellation_spike: () => ({ to: '/orders', search: { status: 'CANCELLED' } }),
  overdue_fee: () => ({ to: '/settings/billing' }),
};

/** What waits for an answer, announcements, then alerts. The area has a fixed height. */
export function Alerts({ range, first }: { range: Range; first: ReactNode }): ReactNode {
  const t = useWords(homeWords);
  const alerts = useSection('alerts', range, TOGETHER);
  return (
    <Card title={t('alerts')}>
      <div className="home-needs">
        {first}
        <Posts range={range} />
        <Loaded of={alerts} rows={ROWS}>
          {(rows) =>
            rows === null ? (
              <EmptyState icon="check" title={t('noAlerts')} hint={t('noAlertsHint')} />
            ) : (
              <ul className="home-alerts">
                {groupsOf(rows)
                  .slice(0, ROWS)
                  .map((group) => (
                    <Group key={`${group[0]?.kind} ${group[0]?.ref}`} alerts={group} />
                  ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

/** Alerts of one kind together, where the first of them was. */
function groupsOf(alerts: readonly Alert[]): Alert[][] {
  return [...Map.groupBy(alerts, ({ kind }) => kind).values()];
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

function Group({ alerts }: { alerts: readonly Alert[] }): ReactNode {
  const t = useWords(homeWords);
  const [first] = alerts;
  if (first === undefined) return null;
  const count = alerts.length;
  if (count > 1) {
    if (first.kind === 'low_stock') return <LowStock alerts={alerts} />;
    if (first.kind === 'failing_webhook') {
      return <Together alerts={alerts} to="/webhooks" text={t('failingWebhooks', { count })} />;
    }
    if (first.kind === 'failing_connector') {
      return <Together alerts={alerts} to="/apps" text={t('failingConnectors', { count })} />;
    }
  }
  return <OneAlert alert={first} />;
}

/** The list of alerts is bounded, so the numbers are counted by the service. */
function LowStock({ alerts }: { alerts: readonly Alert[] }): ReactNode {
  const t = useWords(homeWords);
  const name = useName();
  const language = useLanguage();
  const low = useRead('countLowStock', {}, { enabled: useMay()('read:Products'), refetchInterval: 60_000 }).data;
  if (low === undefined) {
    return (
      <li>
        <Skeleton width="80%" height="20px" />
      </li>
    );
  }
  const branches = t('inBranches', { count: low.branches.length });
  return (
    <Together
      alerts={alerts}
      to="/forecasts"
      text={t('lowSkus', { count: low.skus, branches })}
      note={low.out_of_stock > 0 ? t('ofThemOut', { count: low.out_of_stock }) : undefined}
    >
      <ul className="home-lowest small">
        {alerts.slice(0, LOWEST).map((alert) => (
          <li key={alert.ref}>
            <Link to="/forecasts/$sku" params={{ sku: alert.ref ?? '' }}>
              {language === 'ar' ? alert.message_ar : alert.message_en}
            </Link>
          </li>
        ))}
      </ul>
      {low.branches.length > 1 && (
        <details className="small">
          <summary>{t('byBranch')}</summary>
          <ul className="home-low">
            {low.branches.map((branch) => (
              <li key={branch.branch_iv_id}>
                <bdi className="clip">{name(branch) || branch.branch_iv_id}</bdi>
                <span className="soft">{t('lowHere', { count: branch.skus })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Together>
  );
}

function Together(props: {
  alerts: readonly Alert[];
  to: '/forecasts' | '/webhooks' | '/apps';
  text: string;
  note?: string | undefined;
  children?: ReactNode;
}): ReactNode {
  const isCritical = props.alerts.some(({ severity }) => severity === 'critical');
  return (
    <li className="home-alert" data-severity={isCritical ? 'critical' : 'warning'}>
      <Icon name="alert" />
      <div>
        <Link to={props.to}>{props.text}</Link>
        {props.note !== undefined && <div className="soft small">{props.note}</div>}
        {props.children}
      </div>
    </li>
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
