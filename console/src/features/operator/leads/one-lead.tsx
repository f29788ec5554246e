import type { Row } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { mailtoLink, phoneLink, showPhone } from '../../../ui/contact-links.ts';
import { EmailText } from '../../../ui/email-text.tsx';
import { Button, Dialog, Facts, Select, showToast } from '../../../ui/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { useToastRefusal } from '../parts/refusal.tsx';
import { type Lead, STAGES, type Stage } from './lead.ts';
import { LeadNotes } from './lead-notes.tsx';
import { useReason } from './reason.ts';
import { useStageName } from './stages.ts';
import { leadsWords } from './words.ts';

type Props = {
  lead: Lead;
  operators: readonly Row<'listOperators'>[];
  onChange(lead: Lead): void;
  onClose(): void;
};

/** The form, what became of it, and the notes of operators. */
export function OneLead({ lead, operators, onChange, onClose }: Props): ReactNode {
  const t = useWords(leadsWords);
  const common = useWords(commonWords);
  return (
    <Dialog
      title={<bdi>{lead.name}</bdi>}
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
      <Progress lead={lead} operators={operators} onChange={onChange} />
      <Form lead={lead} />
      <LeadNotes lead={lead} />
    </Dialog>
  );
}

/** Saved at once: each is one choice. */
function Progress({ lead, operators, onChange }: Omit<Props, 'onClose'>): ReactNode {
  const t = useWords(leadsWords);
  const stageName = useStageName();
  const api = useApi();
  const readAgain = useReadAgain();
  const showRefusal = useToastRefusal();
  const changing = useMutation({
    mutationFn: (body: { status?: Stage; assignee_id?: string | null }) =>
      api.call('changeLead', { path: { id: lead.id }, body }),
    onSuccess: async (changed) => {
      onChange(changed);
      showToast({ tone: 'good', text: t('saved') });
      await readAgain('listPipelineLeads');
    },
    onError: showRefusal,
  });
  // An assignee who is no longer active stays shown.
  const known = operators.some(({ id }) => id === lead.assignee?.id);
  const people = lead.assignee === null || known ? operators : [...operators, lead.assignee];
  return (
    <div className="operator-pair">
      <Select
        label={t('stage')}
        value={lead.status}
        isDisabled={changing.isPending}
        onChange={(status) => changing.mutate({ status: status as Stage })}
        options={STAGES.map((value) => ({ value: value as string, text: stageName(value) }))}
      />
      <Select
        label={t('assignee')}
        value={lead.assignee?.id ?? 'none'}
        isDisabled={changing.isPending}
        onChange={(id) => changing.mutate({ assignee_id: id === 'none' ? null : id })}
        options={[
          { value: 'none', text: t('unassigned') },
          ...people.map(({ id, name }) => ({ value: id, text: name })),
        ]}
      />
    </div>
  );
}

function Form({ lead }: { lead: Lead }): ReactNode {
  const t = useWords(leadsWords);
  const planName = usePlanName();
  const reason = useReason();
  const { dateTime, hijri } = useFormat();
  const written = (name: string, text: string) =>
    text === '' ? undefined : ([name, <bdi key={name}>{text}</bdi>] as const);
  return (
    <>
      <Facts
        facts={[
          [
            t('email'),
            <a key="email" href={mailtoLink(lead.email)}>
              <EmailText email={lead.email} />
            </a>,
          ],
          lead.phone === ''
            ? undefined
            : [
                t('phone'),
                <a key="phone" className="ltr" href={phoneLink(lead.phone)}>
                  {showPhone(lead.phone)}
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
    </>
  );
}
