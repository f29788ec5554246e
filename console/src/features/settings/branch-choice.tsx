import type { ReactNode } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { Field, Select } from '../../ui/index.ts';
import { settingsWords } from './words.ts';

const WHOLE = '';
/** A longer list is not usable: then the code is typed. */
const AT_MOST = 100;

/** The whole organization, or one branch of it by its code. */
export function BranchChoice(props: {
  value: string | null;
  onChange(branch: string | null): void;
  isDisabled?: boolean;
  error?: string | undefined;
}): ReactNode {
  const t = useWords(settingsWords);
  const name = useName();
  const may = useMay();
  const { value, onChange, isDisabled = false, error } = props;
  const branches = useRead(
    'listBranches',
    { query: { limit: AT_MOST, sort: 'name_en' } },
    {
      enabled: may('read:Branches'),
      staleTime: 60_000,
    },
  );
  const rows = branches.data?.data ?? [];
  if (branches.data?.has_next === true || !may('read:Branches')) {
    return (
      <Field
        label={t('branchCode')}
        hint={t('wholeOrganization')}
        value={value ?? ''}
        onChange={(text) => onChange(text.trim() === '' ? null : text.trim())}
        isDisabled={isDisabled}
        error={error}
        ltr
      />
    );
  }
  const known = rows.map((branch) => ({ value: branch.iv_id, text: `${name(branch)} · ${branch.iv_id}` }));
  // While branches load, and when the branch was deleted, the chosen code is still shown.
  if (value !== null && !rows.some(({ iv_id }) => iv_id === value)) known.unshift({ value, text: value });
  return (
    <Select
      label={t('branch')}
      isDisabled={isDisabled}
      value={value ?? WHOLE}
      onChange={(chosen) => onChange(chosen === WHOLE ? null : chosen)}
      options={[{ value: WHOLE, text: t('wholeOrganization') }, ...known]}
    />
  );
}
