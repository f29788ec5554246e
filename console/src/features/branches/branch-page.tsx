import type { Schemas } from '@dukkan/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Badge, Card, Loaded, Menu, Notice, Page } from '../../ui/index.ts';
import './branches.css';
import './branch.css';
import { BranchFacts } from './branch-facts.tsx';
import { BranchImages } from './branch-images.tsx';
import { BranchMap } from './branch-map.tsx';
import { ClosuresCard } from './closures/closures-card.tsx';
import { DeleteBranch } from './delete-branch.tsx';
import { HoursCard } from './hours/hours-card.tsx';
import { OpenState } from './open-state.tsx';
import { STATUS_TONES } from './status-tone.ts';
import { branchesWords } from './words.ts';

const route = getRouteApi('/in/branches/$ivId');
const MINUTE_MS = 60_000;

export function BranchPage(): ReactNode {
  const t = useWords(branchesWords);
  const { ivId } = route.useParams();
  const branch = useRead('getBranch', { path: { ivId } }, { refetchInterval: MINUTE_MS });
  return (
    <Loaded of={branch} rows={8} back={<BackLink to="/branches">{t('back')}</BackLink>}>
      {(found) => <OneBranch key={found.id} branch={found} />}
    </Loaded>
  );
}

function OneBranch({ branch }: { branch: Schemas['Branch'] }): ReactNode {
  const t = useWords(branchesWords);
  const name = useName();
  const may = useMay();
  const { branch_id } = useOrganization();
  const [isDeleting, setDeleting] = useState(false);
  const title = name(branch) || branch.iv_id;
  const mayDelete = may('delete:Branches') && branch_id === null;
  return (
    <Page
      title={
        <span className="branch-title">
          {title}
          {branch.active ? (
            <Badge tone={STATUS_TONES[branch.status]}>{t(`status.${branch.status}`)}</Badge>
          ) : (
            <Badge tone="warn">{t('inactive')}</Badge>
          )}
        </span>
      }
      name={title}
      note={
        <span className="branch-note">
          <BackLink to="/branches">{t('back')}</BackLink>
          {branch.active && <OpenState branch={branch} />}
        </span>
      }
      tools={
        mayDelete && (
          <Menu
            label={title}
            button={{ icon: 'more', 'aria-label': title }}
            groups={[
              {
                id: 'branch',
                entries: [{ id: 'delete', text: t('delete'), look: 'danger', onAction: () => setDeleting(true) }],
              },
            ]}
          />
        )
      }
    >
      {!branch.active && <Notice tone="warn">{t('isInactive')}</Notice>}
      {branch.working_hours_periods.length === 0 && <Notice tone="warn">{t('needsHours')}</Notice>}
      <div className="branch-columns">
        <div className="branch-column">
          <HoursCard branch={branch} />
          <ClosuresCard branch={branch} />
          <BranchImages branch={branch} />
        </div>
        <div className="branch-column">
          <BranchFacts branch={branch} />
          {branch.location !== null && (
            <div className="branch-map">
              <Card flush>
                <BranchMap branches={[branch]} still />
              </Card>
            </div>
          )}
        </div>
      </div>
      {isDeleting && <DeleteBranch branch={branch} onClose={() => setDeleting(false)} />}
    </Page>
  );
}
