import type { Row } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { mailtoLink } from '../../../ui/contact-links.ts';
import { Button, type Column, DataTable } from '../../../ui/index.ts';
import { ListCard, ListFilters } from '../../../ui/list/index.ts';
import { usePartnerName } from './partner-name.ts';
import { type Payee, PayeeForm } from './payee-form.tsx';
import type { Partner } from './rates.tsx';
import { partnersWords } from './words.ts';

export function People({ partners }: { partners: readonly Partner[] }): ReactNode {
  const t = useWords(partnersWords);
  const partner = usePartnerName();
  const [edited, setEdited] = useState<Payee | 'new' | undefined>(undefined);
  const people = useRead('listPartnerUsers', {});
  const columns: Column<Row<'listPartnerUsers'>>[] = [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(120px, 1fr)',
      render: ({ name, email }) => (
        <span className="ui-cell-two">
          <span className="clip">{name}</span>
          <a className="small ltr clip" href={mailtoLink(email)}>
            {email}
          </a>
        </span>
      ),
    },
    {
      id: 'partner',
      title: t('partner'),
      width: 'minmax(110px, 1fr)',
      from: 'medium',
      render: ({ partner_id }) => partner(partner_id),
    },
    {
      id: 'account',
      title: t('account'),
      width: 'minmax(150px, 1fr)',
      end: true,
      render: ({ iban_masked }) => <span className="ltr">{iban_masked}</span>,
    },
  ];
  return (
    <div className="operator-stack">
      {partners.length > 0 && (
        <ListFilters
          tools={
            <Button icon="plus" onPress={() => setEdited('new')}>
              {t('newPayee')}
            </Button>
          }
        />
      )}
      <ListCard
        answer={people}
        extentOf={({ items }) => ({ shown: items.length, total: items.length })}
        skeletonRows={4}
        empty={{
          icon: 'customers',
          title: t('noPeople'),
          hint: t('noPeopleHint'),
        }}
      >
        {({ items }) => (
          <DataTable label={t('tab.people')} columns={columns} rows={items} keyOf={({ id }) => id} onOpen={setEdited} />
        )}
      </ListCard>
      {edited !== undefined && (
        <PayeeForm
          {...(edited !== 'new' && { payee: edited })}
          partners={partners}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}
