import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bars } from '../../../charts/index.ts';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Card, EmptyState, Facts, Loaded } from '../../../ui/index.ts';
import { useTenants } from '../parts/tenants.ts';
import { overviewWords } from './words.ts';

const SHOWN = 5;

/** Suspended organizations, and new leads. */
export function Needs(): ReactNode {
  const t = useWords(overviewWords);
  const name = useName();
  const { when } = useFormat();
  const suspended = useRead('listFleetOrganizations', { query: { status: 'suspended', limit: SHOWN } });
  const leads = useRead('listPipelineLeads', { query: { status: 'new', limit: 1 } });
  const fresh = leads.data?.total_count ?? 0;
  return (
    <Card title={t('needs')}>
      <Loaded of={suspended} rows={3}>
        {({ data }) =>
          data.length === 0 && fresh === 0 ? (
            <EmptyState icon="check" title={t('nothingNeeds')} hint={t('nothingNeedsHint')} />
          ) : (
            <ul className="operator-list">
              {data.map((one) => (
                <li key={one.id}>
                  <Link to="/operator/organizations/$id" params={{ id: one.id }}>
                    {name(one)}
                  </Link>
                  <span className="soft small">
                    {t('suspendedSince', {
                      when: when(one.suspended_at ?? one.updated),
                      reason: one.suspended_by === 'billing' ? t('forUnpaid') : one.suspension_reason,
                    })}
                  </span>
                </li>
              ))}
              {fresh > 0 && (
                <li>
                  <Link to="/operator/leads" search={{ stage: 'new' }}>
                    {t('newLeads', { count: fresh })}
                  </Link>
                  <span className="soft small">{t('newLeadsHint')}</span>
                </li>
              )}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

export function Fleet(): ReactNode {
  const t = useWords(overviewWords);
  const { number, roundMoney } = useFormat();
  return (
    <Card title={t('fleet')}>
      <Loaded of={useTenants()} rows={4}>
        {(fleet) => (
          <Facts
            facts={[
              [
                t('organizations'),
                <Link key="all" to="/operator/organizations">
                  {t('activeOf', { active: fleet.active_organizations, total: fleet.total_organizations })}
                </Link>,
              ],
              [t('branches'), number(fleet.total_branches)],
              [t('users'), number(fleet.total_users)],
              [t('orders'), number(fleet.total_orders)],
              [t('orderValue'), roundMoney(fleet.total_order_value)],
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

export function Largest(): ReactNode {
  const t = useWords(overviewWords);
  const name = useName();
  const { compact } = useFormat();
  return (
    <Card title={t('largest')}>
      <Loaded of={useTenants()} rows={4}>
        {({ organizations }) => (
          <Bars
            label={t('largest')}
            bars={organizations
              .toSorted((a, b) => b.order_value - a.order_value)
              .slice(0, SHOWN)
              .map((one) => ({
                id: one.organization_id,
                title: name(one),
                value: one.order_value,
                text: compact(one.order_value),
              }))}
          />
        )}
      </Loaded>
    </Card>
  );
}
