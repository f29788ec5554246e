import type { Answer } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { readStored, useOrganization, useRead, writeStored } from '../../platform/index.ts';
import { EmptyState, Loaded, Page, Select } from '../../ui/index.ts';
import { Counter } from './counter.tsx';
import './till.css';
import { tillWords } from './words.ts';

type Branch = Answer<'listBranches'>['data'][number];

export function TillPage(): ReactNode {
  const branches = useRead('listBranches', { query: { active: true, limit: 100, sort: 'name_en' } });
  const organization = useRead('getOrganization', {});
  return (
    <Loaded of={branches} rows={8}>
      {({ data }) => (
        <Loaded of={organization} rows={8}>
          {({ currency }) => <Till branches={data} currency={currency} />}
        </Loaded>
      )}
    </Loaded>
  );
}

/** A till belongs to one branch, which this browser remembers. Accounts of one branch only receive that one. */
function Till({ branches, currency }: { branches: readonly Branch[]; currency: string }): ReactNode {
  const t = useWords(tillWords);
  const name = useName();
  const { id } = useOrganization();
  const [chosen, setChosen] = useState(() => readStored(`till.branch.${id}`));
  const branch = branches.find(({ iv_id }) => iv_id === chosen) ?? branches[0];
  if (branch === undefined) {
    return (
      <Page title={t('title')}>
        <EmptyState icon="branches" title={t('noBranch')} hint={t('noBranchHint')} />
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      {...(branches.length === 1 && { note: name(branch) })}
      tools={
        branches.length > 1 && (
          <Select
            label={t('chooseBranch')}
            hideLabel
            value={branch.iv_id}
            onChange={(ivId) => {
              writeStored(`till.branch.${id}`, ivId);
              setChosen(ivId);
            }}
            options={branches.map((one) => ({ value: one.iv_id, text: name(one) }))}
          />
        )
      }
    >
      <Counter key={branch.iv_id} branch={branch.iv_id} branchName={name(branch)} currency={currency} />
    </Page>
  );
}
