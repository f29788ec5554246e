import { type ReactNode, useId } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useMay, useOrganization } from '../../../platform/index.ts';
import { BranchChoice } from '../branch-choice.tsx';
import { GrantMatrix } from '../grants/grant-matrix.tsx';
import { type Differences, mayWith, ROLES, type Role, roleGives, turned } from '../grants/grants.ts';
import { settingsWords } from '../words.ts';
import { teamWords } from './words.ts';

/** A member's access: role, branch, and the grants that differ from the role. */
export type Standing = { role: Role; branch: string | null; differences: Differences };

export function StandingForm(props: {
  value: Standing;
  onChange(value: Standing): void;
  isReadOnly?: boolean;
  branchError?: string | undefined;
}): ReactNode {
  const t = useWords(teamWords);
  const settings = useWords(settingsWords);
  const may = useMay();
  const own = useOrganization();
  const group = useId();
  const { value, onChange, isReadOnly = false } = props;
  const { role, branch, differences } = value;
  const isChanged = (grant: Parameters<typeof may>[0]) => mayWith(role, differences, grant) !== roleGives(role, grant);
  const hasDifferences = differences.added.length + differences.withheld.length > 0;
  return (
    <div className="settings-stack">
      <fieldset className="settings-roles" disabled={isReadOnly}>
        <legend className="ui-label">{t('role')}</legend>
        {ROLES.map((one) => (
          <label key={one} className="settings-role">
            <input
              type="radio"
              name={group}
              checked={role === one}
              // Only owners make owners.
              disabled={one === 'owner' && own.role !== 'owner' && role !== 'owner'}
              onChange={() => onChange({ ...value, role: one })}
            />
            <span>
              <span className="strong">{settings(`role.${one}`)}</span>
              <span className="soft small settings-role-hint">{settings(`role.${one}.hint`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <BranchChoice
        value={branch}
        onChange={(chosen) => onChange({ ...value, branch: chosen })}
        isDisabled={isReadOnly}
        error={props.branchError}
      />
      {branch !== null && <p className="soft small">{t('confined')}</p>}
      <details className="settings-details" open={hasDifferences || undefined}>
        <summary>{t('grantsShow')}</summary>
        <p className="soft small">{t('grantsHint')}</p>
        <GrantMatrix
          label={t('grants')}
          isOn={(grant) => mayWith(role, differences, grant)}
          isChanged={isChanged}
          onTurn={(grant) => onChange({ ...value, differences: turned(role, differences, grant) })}
          isDisabled={(grant) => isReadOnly || (!may(grant) && !mayWith(role, differences, grant))}
        />
      </details>
    </div>
  );
}
