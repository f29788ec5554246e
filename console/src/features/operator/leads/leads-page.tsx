import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { mailtoLink, phoneLink } from '../../../ui/contact-links.ts';
import { Button, type Column, DataTable, Dialog, Facts } from '../../../ui/index.ts';
import { ListPage, useListSearch } from '../../../ui/list/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import type { Lead } from './lead.ts';
import { matchingLeads } from './matching-leads.ts';
import { leadsWords } from './words.ts';

const route = getRouteApi('/in/operator/leads');
const PER_PAGE = 50;

/** The service returns every lead at once, so the search and the pages are computed here. */
export function LeadsPage(): ReactNode {
  const t = useWords(leadsWords);
  const parameters = route.useSearch();
  const list = useListSearch(parameters, useNavigate({ from: '/operator/leads' }));
  const [open, setOpen] = useState<Lead | undefined>(undefined);
  const leads = useRead('listLeads', {}, { refetchInterval: 60_000 });
  const columns = useColumns();
  const found = matchingLeads(leads.data?.leads ?? [], parameters.search ?? '');
  const page = Math.min(list.page, Math.max(1, Math.ceil(found.length / PER_PAGE)));
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      answer={leads}
      extentOf={() => ({ shown: found.length, total: found.length, page })}
      perPage={PER_PAGE}
      hideSinglePage
      empty={{ title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      after={open !== undefined && <OneLead lead={open} onClose={() => setOpen(undefined)} />}
    >
      {() => (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={found.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
          keyOf={({ id }) => id}
          onOpen={setOpen}
        />
      )}
    </ListPage>
  );
}

function useReason(): (word: string) => string {
  const words: Partial<Record<string, unknown>> = leadsWords[useLanguage()];
  return (word) => {
    const known = words[`reason.${word.toLowerCase()}`];
    return typeof known === 'string' ? known : word;
  };
}

function useColumns(): Column<Lead>[] {
  const t = useWords(leadsWords);
  const planName = usePlanName();
  const reason = useReason();
  const { when, dateTime } = useFormat();
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(130px, 1.4fr)',
      render: ({ name, position }) => (
        <span className="ui-cell-two">
          <bdi className="strong clip">{name}</bdi>
          <bdi className="soft small clip">{position}</bdi>
        </span>
      ),
    },
    {
      id: 'contact',
      title: t('contact'),
      width: 'minmax(150px, 1.4fr)',
      from: 'medium',
      render: ({ email, phone }) => (
        <span className="ui-cell-two">
          <span className="ltr clip">{email}</span>
          <span className="soft small ltr clip">{phone}</span>
        </span>
      ),
    },
    {
      id: 'wants',
      title: t('wants'),
      width: 'minmax(100px, 1fr)',
      from: 'medium',
      render: ({ contact_reason }) => reason(contact_reason),
    },
    {
      id: 'plan',
      title: t('plan'),
      width: '110px',
      from: 'wide',
      render: ({ plan }) => <bdi>{planName(plan) || '—'}</bdi>,
    },
    { id: 'erp', title: t('erp'), width: '110px', from: 'wide', render: ({ erp }) => <bdi>{erp || '—'}</bdi> },
    {
      id: 'asked',
      title: t('asked'),
      width: '110px',
      render: ({ created }) => (
        <time dateTime={created} title={dateTime(created)} className="soft">
          {when(created)}
        </time>
      ),
    },
  ];
}

function OneLead({ lead, onClose }: { lead: Lead; onClose(): void }): ReactNode {
  const t = useWords(leadsWords);
  const planName = usePlanName();
  const common = useWords(commonWords);
  const reason = useReason();
  const { dateTime, hijri } = useFormat();
  const written = (name: string, text: string) =>
    text === '' ? undefined : ([name, <bdi key={name}>{text}</bdi>] as const);
  return (
    <Dialog
      title={lead.name}
      place="side"
      isOpen
      onClose={onClose}
      foot={
        <>
          <Link className="ui-button" to="/operator/organizations" search={{ invite: lead.email }}>
            {t('open')}
          </Link>
          <Button look="primary" onPress={onClose}>
            {common('close')}
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          [
            t('email'),
            <a key="email" className="ltr" href={mailtoLink(lead.email)}>
              {lead.email}
            </a>,
          ],
          lead.phone === ''
            ? undefined
            : [
                t('phone'),
                <a key="phone" className="ltr" href={phoneLink(lead.phone)}>
                  {lead.phone}
                </a>,
              ],
          written(t('position'), lead.position),
          written(t('wants'), reason(lead.contact_reason)),
          written(t('plan'), planName(lead.plan)),
          written(t('erp'), lead.erp),
          [t('asked'), `${dateTime(lead.created)} · ${hijri(lead.created)}`],
        ]}
      />
      <div>
        <h3>{t('notes')}</h3>
        {lead.notes === '' ? <p className="soft">{t('noNotes')}</p> : <p className="operator-text">{lead.notes}</p>}
      </div>
    </Dialog>
  );
}
