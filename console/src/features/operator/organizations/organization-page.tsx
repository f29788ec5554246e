import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { FigureStrip } from '../../../ui/figure-strip.tsx';
import { Badge, Button, EmptyState, ErrorState, Loaded, Notice, Page, Skeletons } from '../../../ui/index.ts';
import { useSay } from '../parts/say.ts';
import { useTenants } from '../parts/tenants.ts';
import { stateTone } from '../parts/tones.ts';
import { About, Assigned, Done } from './about.tsx';
import { GiveCredit } from './give-credit.tsx';
import { OrganizationInvoices } from './invoices.tsx';
import { OpenFees, OrganizationLedger } from './ledger.tsx';
import { RecordPayment } from './record-payment.tsx';
import { SupportCard } from './support/support-card.tsx';
import { Resume, Suspend } from './suspension.tsx';
import type { Tenant } from './tenant.ts';
import { Usage } from './usage.tsx';
import { organizationsWords } from './words.ts';

const route = getRouteApi('/in/operator/organizations/$id');

/** The service has no operation to read one organization: the fleet gives its name, and the list is searched by it. */
export function OrganizationPage(): ReactNode {
  const t = useWords(organizationsWords);
  const { id } = route.useParams();
  const fleet = useTenants();
  const known = fleet.data?.organizations.find(({ organization_id }) => organization_id === id);
  const named = useRead(
    'listFleetOrganizations',
    { query: { search: known?.name_en.slice(0, 200) ?? '', limit: 100 } },
    { enabled: known !== undefined },
  );
  const back = <Link to="/operator/organizations">{t('back')}</Link>;
  if (fleet.data !== undefined && known === undefined && !fleet.isFetching) {
    return (
      <Page title={t('gone')}>
        <EmptyState icon="branches" title={t('gone')} hint={t('goneHint')} action={back} />
      </Page>
    );
  }
  if (fleet.isError && fleet.data === undefined) {
    return (
      <Page title={t('title')}>
        <ErrorState error={fleet.error} onRetry={() => void fleet.refetch()} />
      </Page>
    );
  }
  if (known === undefined) return <Skeletons rows={8} label={t('title')} />;
  return (
    <Loaded of={named} rows={8} back={<BackLink to="/operator/organizations">{t('back')}</BackLink>}>
      {({ data }) => {
        const one = data.find((row) => row.id === id);
        return one === undefined ? (
          <EmptyState icon="branches" title={t('gone')} hint={t('goneHint')} action={back} />
        ) : (
          <OneOrganization
            one={one}
            collected={known.collected_sar}
            orders={known.order_count}
            value={known.order_value}
          />
        );
      }}
    </Loaded>
  );
}

type Doing = 'payment' | 'credit' | 'suspend' | 'resume' | undefined;

function OneOrganization(props: { one: Tenant; collected: number; orders: number; value: number }): ReactNode {
  const t = useWords(organizationsWords);
  const say = useSay();
  const name = useName();
  const { money } = useFormat();
  const { one, collected, orders, value } = props;
  const [doing, setDoing] = useState<Doing>(undefined);
  const close = () => setDoing(undefined);
  const mayBeSuspended = one.status === 'active' || one.suspended_by === 'billing';
  return (
    <Page
      title={
        <span className="operator-title">
          {name(one)}
          <Badge tone={stateTone(one.status)}>{say('state', one.status)}</Badge>
        </span>
      }
      name={name(one)}
      note={<BackLink to="/operator/organizations">{t('back')}</BackLink>}
      tools={
        <>
          {one.status === 'suspended' && <Button onPress={() => setDoing('resume')}>{t('resume')}</Button>}
          {mayBeSuspended && (
            <Button look="danger" onPress={() => setDoing('suspend')}>
              {t('suspend')}
            </Button>
          )}
          <Button onPress={() => setDoing('credit')}>{t('giveCredit')}</Button>
          <Button look="primary" onPress={() => setDoing('payment')}>
            {t('recordPayment')}
          </Button>
        </>
      }
    >
      <Suspension one={one} />
      <FigureStrip
        label={t('figures')}
        figures={[
          { name: t('wallet'), value: money(one.balance_sar) },
          { name: t('outstanding'), value: money(one.outstanding_sar) },
          {
            name: t('overdue'),
            value: money(one.overdue_sar),
            tone: one.overdue_sar > 0 ? 'bad' : undefined,
          },
          { name: t('collected'), value: money(collected) },
        ]}
      />
      <div className="operator-columns">
        <div className="operator-column">
          <OpenFees one={one} />
          <Usage id={one.id} />
          <OrganizationInvoices id={one.id} />
          <OrganizationLedger id={one.id} />
        </div>
        <div className="operator-column">
          <SupportCard one={one} />
          <About one={one} orders={orders} value={value} />
          <Assigned id={one.id} />
          <Done id={one.id} />
        </div>
      </div>
      {doing === 'payment' && <RecordPayment one={one} onClose={close} />}
      {doing === 'credit' && <GiveCredit one={one} onClose={close} />}
      {doing === 'suspend' && <Suspend one={one} onClose={close} />}
      {doing === 'resume' && <Resume one={one} onClose={close} />}
    </Page>
  );
}

function Suspension({ one }: { one: Tenant }): ReactNode {
  const t = useWords(organizationsWords);
  const { when } = useFormat();
  if (one.status !== 'suspended') return null;
  const at = when(one.suspended_at ?? one.updated);
  return (
    <Notice tone="bad">
      {one.suspended_by === 'billing'
        ? t('suspendedByBilling', { when: at })
        : t('suspendedByOperator', { when: at, reason: one.suspension_reason })}
    </Notice>
  );
}
