import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Card, Facts, Loaded } from '../../../ui/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { useActionName } from '../parts/action-name.ts';
import type { Tenant } from './tenant.ts';
import { organizationsWords } from './words.ts';

const SHOWN = 8;

export function About({ one, orders, value }: { one: Tenant; orders: number; value: number }): ReactNode {
  const t = useWords(organizationsWords);
  const plan = usePlanName();
  const { number, date, hijri, roundMoney } = useFormat();
  return (
    <Card title={t('about')}>
      <Facts
        facts={[
          [t('nameEn'), <bdi key="en">{one.name_en}</bdi>],
          [t('nameAr'), <bdi key="ar">{one.name_ar}</bdi>],
          [t('plan'), plan(one.plan)],
          [t('branches'), number(one.branch_count)],
          [t('people'), number(one.user_count)],
          [t('orders'), number(orders)],
          [t('orderValue'), roundMoney(value)],
          [t('since'), `${date(one.created)} · ${hijri(one.created)}`],
        ]}
      />
    </Card>
  );
}

/** Its services besides branches. */
export function Assigned({ id }: { id: string }): ReactNode {
  const t = useWords(organizationsWords);
  const name = useName();
  const { money, number } = useFormat();
  const services = useRead('listBillableServices', {});
  const assignments = useRead('listServiceAssignments', { query: { organization_id: id } });
  return (
    <Card
      title={t('services')}
      tools={
        <Link to="/operator/money" search={{ tab: 'assignments', organization: id }}>
          {t('allAssignments')}
        </Link>
      }
    >
      <Loaded of={assignments} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{t('noServices')}</p>
          ) : (
            <ul className="operator-list">
              {items.map((one) => {
                const service = services.data?.items.find((other) => other.id === one.service_id);
                return (
                  <li key={one.organization_app_id}>
                    <span>{service === undefined ? '…' : name(service)}</span>
                    <span className="soft small">
                      {t('timesEach', { quantity: number(one.quantity), price: money(one.price_sar) })}
                      {one.status === 'paused' && ` · ${t('paused')}`}
                    </span>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

export function Done({ id }: { id: string }): ReactNode {
  const t = useWords(organizationsWords);
  const action = useActionName();
  const { when, dateTime } = useFormat();
  const record = useRead('listOperatorAudit', { query: { organization_id: id, limit: SHOWN } });
  return (
    <Card
      title={t('done_to')}
      tools={
        <Link to="/operator/system" search={{ tab: 'audit', organization: id }}>
          {t('audit')}
        </Link>
      }
    >
      <Loaded of={record} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{t('nothingDone')}</p>
          ) : (
            <ul className="operator-list">
              {data.map((one) => (
                <li key={one.id}>
                  <span>{action(one)}</span>
                  <span className="soft small" title={dateTime(one.at)}>
                    {when(one.at)} · <bdi>{one.actor.name}</bdi>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
