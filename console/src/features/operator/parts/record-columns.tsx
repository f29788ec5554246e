import { useFormat } from '../../../i18n/index.ts';
import { EmailText } from '../../../ui/email-text.tsx';
import type { Column } from '../../../ui/index.ts';
import { useOperatorWords } from './say.ts';
import { useTenantName } from './tenants.ts';

type Recorded = { created: string; created_by: string };

/** The columns that lists of money movements share: who recorded one, and when. */
export function useRecordColumns<Row extends Recorded>(): { by: Column<Row>; when: Column<Row> } {
  const shared = useOperatorWords();
  const { date, dateTime, hijri } = useFormat();
  return {
    by: {
      id: 'by',
      title: shared('by'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ created_by }) => (
        <span className="soft">
          <EmailText email={created_by} />
        </span>
      ),
    },
    when: {
      id: 'when',
      title: shared('when'),
      width: '116px',
      render: ({ created }) => (
        <time dateTime={created} title={`${dateTime(created)} · ${hijri(created)}`} className="soft">
          {date(created)}
        </time>
      ),
    },
  };
}

export function useOrganizationColumn<Row extends { organization_id: string; organization_name_en: string }>(
  width: string,
): Column<Row> {
  const shared = useOperatorWords();
  const tenant = useTenantName();
  return {
    id: 'organization',
    title: shared('organization'),
    width,
    render: (one) => tenant(one.organization_id, one.organization_name_en),
  };
}
