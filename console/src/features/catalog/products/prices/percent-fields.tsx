import { type ReactNode, useState } from 'react';
import { useName, useWords } from '../../../../i18n/index.ts';
import { Field, Select } from '../../../../ui/index.ts';
import { useBranches } from '../../branches.ts';
import { readNumber } from '../../read-number.ts';
import { percentWords } from './percent-words.ts';

const EVERY_BRANCH = '';
/** The service's limits. */
const LEAST = -90;
const MOST = 500;
const TWO_DECIMALS = /^-?\d+(?:\.\d{1,2})?$/;

/** A percentage and the branches that it applies to, of one branch or all. `percent` is undefined while the text is not usable. */
export function usePercentFields() {
  const branches = useBranches();
  const [text, setText] = useState('');
  const [branch, setBranch] = useState(EVERY_BRANCH);
  const value = readNumber(text);
  const isUsable = value !== undefined && value >= LEAST && value <= MOST && TWO_DECIMALS.test(String(value));
  return {
    percent: isUsable ? value : undefined,
    /** The chosen branch; undefined for all. */
    branch: branch === EVERY_BRANCH ? undefined : branch,
    branchIvIds: branch === EVERY_BRANCH ? (branches.data ?? []).map(({ iv_id }) => iv_id) : [branch],
    fields: { text, setText, branch, setBranch, isWrong: text !== '' && !isUsable, branches: branches.data ?? [] },
  };
}

type Fields = ReturnType<typeof usePercentFields>['fields'];

export function PercentField({ fields, hint }: { fields: Fields; hint: string }): ReactNode {
  const t = useWords(percentWords);
  return (
    <Field
      label={t('percent')}
      value={fields.text}
      onChange={fields.setText}
      error={fields.isWrong ? t('percentBad') : undefined}
      hint={hint}
      ltr
      autoFocus
      inputMode="decimal"
    />
  );
}

export function BranchField({ fields }: { fields: Fields }): ReactNode {
  const t = useWords(percentWords);
  const name = useName();
  return (
    <Select
      label={t('branch')}
      value={fields.branch}
      onChange={fields.setBranch}
      options={[
        { value: EVERY_BRANCH, text: t('everyBranch') },
        ...fields.branches.map((one) => ({ value: one.iv_id, text: name(one) || one.iv_id })),
      ]}
    />
  );
}
