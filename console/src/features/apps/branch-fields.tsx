import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { Button, Field, Select } from '../../ui/index.ts';
import { settingWords } from './setting-words.ts';

export type Branch = { iv_id: string; name: string };
/** `known` only when all branches are loaded: accounts that may not read them, or have more than a list holds, type their codes. */
export type BranchChoice = { known: readonly Branch[] | undefined };

const AT_MOST = 100;

export function useBranches(): BranchChoice {
  const name = useName();
  const enabled = useMay()('read:Branches');
  const read = useRead('listBranches', { query: { limit: AT_MOST } }, { enabled, staleTime: 300_000 });
  if (read.data === undefined || read.data.has_next) return { known: undefined };
  return { known: read.data.data.map((branch) => ({ iv_id: branch.iv_id, name: name(branch) || branch.iv_id })) };
}

type Shared = { label: string; hint: string | undefined; error: string | undefined; isDisabled: boolean };

export function BranchSelect(
  props: Shared & { value: string; onChange(value: string): void; branches: readonly Branch[] },
): ReactNode {
  const t = useWords(settingWords);
  const { label, hint, error, value, onChange, isDisabled } = props;
  return (
    <div className="ui-field">
      <Select
        label={label}
        isDisabled={isDisabled}
        value={value}
        onChange={onChange}
        options={[{ value: '', text: t('noBranch') }, ...optionsOf(props.branches, value)]}
      />
      {error === undefined ? (
        hint !== undefined && <span className="ui-hint">{hint}</span>
      ) : (
        <span className="ui-error-text">{error}</span>
      )}
    </div>
  );
}

/** The vendor's stores on one side, our branches on the other. */
export function BranchMap(
  props: Shared & {
    value: Readonly<Record<string, string>>;
    onChange(value: Readonly<Record<string, string>>): void;
    branches: BranchChoice;
    store?: string | undefined;
  },
): ReactNode {
  const t = useWords(settingWords);
  const common = useWords(commonWords);
  const { label, hint, error, value, onChange, isDisabled } = props;
  const known = props.branches.known;
  const isNew = props.store !== undefined && !(props.store in value);
  const [store, setStore] = useState(isNew ? (props.store ?? '') : '');
  const [branch, setBranch] = useState('');
  const add = (to: string) => {
    if (store.trim() === '' || to === '') return setBranch(to);
    onChange({ ...value, [store.trim()]: to });
    setStore('');
    setBranch('');
  };
  const choose = (chosen: string, onChoice: (iv: string) => void, name: string) =>
    known === undefined ? (
      <Field label={name} value={chosen} onChange={onChoice} isDisabled={isDisabled} ltr />
    ) : (
      <Select
        label={name}
        value={chosen}
        onChange={onChoice}
        isDisabled={isDisabled}
        options={[{ value: '', text: t('chooseBranch') }, ...optionsOf(known, chosen)]}
      />
    );
  return (
    <fieldset className="apps-map" disabled={isDisabled}>
      <legend className="ui-label">{label}</legend>
      {hint !== undefined && <span className="ui-hint">{hint}</span>}
      {Object.entries(value).map(([from, to]) => (
        <div key={from} className="apps-map-row">
          <span className="apps-map-store ltr">{from}</span>
          <div>
            <Select
              label={t('branchOf', { store: from })}
              hideLabel
              isDisabled={isDisabled}
              value={to}
              onChange={(next) => onChange({ ...value, [from]: next })}
              options={optionsOf(known ?? [], to)}
            />
          </div>
          {!isDisabled && (
            <Button
              look="quiet"
              icon="close"
              aria-label={`${common('delete')}: ${from}`}
              onPress={() => onChange(Object.fromEntries(Object.entries(value).filter(([key]) => key !== from)))}
            />
          )}
        </div>
      ))}
      {!isDisabled && (
        <div className="apps-map-row" data-new>
          <Field label={t('theirStore')} value={store} onChange={setStore} ltr autoFocus={isNew} />
          <div>{choose(branch, known === undefined ? setBranch : add, t('ourBranch'))}</div>
          <Button
            icon="plus"
            aria-label={t('addStore')}
            isDisabled={store.trim() === '' || branch === ''}
            onPress={() => add(branch)}
          />
        </div>
      )}
      {error !== undefined && <span className="ui-error-text">{error}</span>}
    </fieldset>
  );
}

/** A stored branch that was deleted is shown by its code. */
function optionsOf(branches: readonly Branch[], value: string) {
  const options = branches.map(({ iv_id, name }) => ({ value: iv_id, text: name }));
  if (value === '' || branches.some(({ iv_id }) => iv_id === value)) return options;
  return [...options, { value, text: value }];
}
