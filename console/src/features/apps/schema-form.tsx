import type { ReactNode } from 'react';
import { commonWords, useLanguage, useWords } from '../../i18n/index.ts';
import { Button, Checkbox, Field, Select } from '../../ui/index.ts';
import { type BranchChoice, BranchMap, BranchSelect } from './branch-fields.tsx';
import { settingWords } from './setting-words.ts';
import { type Draft, type DraftValue, isForOwners, type Setting, type SettingsSchema } from './settings-draft.ts';

const NOT_CHOSEN = '';

type FormProps = {
  schema: SettingsSchema;
  secrets: readonly string[];
  draft: Draft;
  onChange(name: string, value: DraftValue): void;
  /** The stored settings, masked: a stored secret stays unless a new one is entered. */
  stored: Record<string, unknown>;
  errors: Record<string, string>;
  branches: BranchChoice;
  isDisabled?: boolean;
  /** Whether addresses and secrets can be written here. */
  isOwner: boolean;
  /** The setting that a link asks to focus. */
  focus?: string | undefined;
  /** An unmapped store of the vendor. */
  store?: string | undefined;
};

/** One field for each property of a settings schema. */
export function SchemaForm(props: FormProps): ReactNode {
  return Object.entries(props.schema.properties).map(([name, setting]) => (
    <div key={name} className="apps-setting" data-sought={props.focus === name || undefined}>
      <SettingField {...props} name={name} setting={setting} />
    </div>
  ));
}

function SettingField(props: FormProps & { name: string; setting: Setting }): ReactNode {
  const t = useWords(settingWords);
  const common = useWords(commonWords);
  const { name, setting, draft, stored, branches, onChange, isDisabled = false } = props;
  const { label, hint: usualHint } = useSettingWords(name, setting);
  const isReadOnly = !props.isOwner && isForOwners(name, props.secrets);
  const hint = isReadOnly ? t('ownersOnly') : usualHint;
  const isRequired = props.schema.required.includes(name);
  const error = errorOf(props.errors, name);
  const value = draft[name];
  const autoFocus = props.focus === name;
  const shared = { label: isRequired ? `${label} *` : label, isDisabled };
  if (setting.type === 'boolean') {
    return (
      <div className="ui-field">
        <Checkbox isSelected={value === true} onChange={(isOn) => onChange(name, isOn)} isDisabled={isDisabled}>
          {label}
        </Checkbox>
        {hint !== undefined && <span className="ui-hint">{hint}</span>}
        {error !== undefined && <span className="ui-error-text">{error}</span>}
      </div>
    );
  }
  if (setting.enum !== undefined) {
    const plain = setting.default === undefined ? t('notChosen') : t('byDefault', { value: choiceOf(setting.default) });
    return (
      <div className="ui-field">
        <Select
          {...shared}
          value={typeof value === 'string' ? value : NOT_CHOSEN}
          onChange={(next) => onChange(name, next)}
          options={[
            { value: NOT_CHOSEN, text: plain },
            ...setting.enum.map((option) => ({ value: String(option), text: choiceOf(option) })),
          ]}
        />
        {error === undefined ? (
          hint && <span className="ui-hint">{hint}</span>
        ) : (
          <span className="ui-error-text">{error}</span>
        )}
      </div>
    );
  }
  if (setting.type === 'object') {
    return (
      <BranchMap
        label={label}
        hint={hint}
        error={error}
        value={isMap(value) ? value : {}}
        onChange={(next) => onChange(name, next)}
        branches={branches}
        isDisabled={isDisabled}
        store={props.store}
      />
    );
  }
  if (setting.type === 'array') {
    const lines = Array.isArray(value) ? value.join('\n') : '';
    return (
      <Field
        {...shared}
        hint={hint ?? t('onePerLine')}
        error={error}
        lines={3}
        value={lines}
        onChange={(text) => onChange(name, text.split('\n'))}
      />
    );
  }
  if (name === 'branch_iv_id' && branches.known !== undefined) {
    return (
      <BranchSelect
        {...shared}
        hint={hint}
        error={error}
        value={typeof value === 'string' ? value : ''}
        onChange={(next) => onChange(name, next)}
        branches={branches.known}
      />
    );
  }
  const text = typeof value === 'string' ? value : '';
  if (props.secrets.includes(name)) {
    const kept = typeof stored[name] === 'string' ? String(stored[name]) : undefined;
    const isGone = value === null;
    return (
      <div className="apps-secret">
        <Field
          {...shared}
          type="password"
          autoComplete="off"
          isReadOnly={isReadOnly}
          hint={isGone ? t('secretGone') : kept === undefined || isReadOnly ? hint : t('secretKept')}
          {...(kept !== undefined && !isGone && { placeholder: kept })}
          error={error}
          value={text}
          onChange={(next) => onChange(name, next)}
          autoFocus={autoFocus}
          ltr
        />
        {kept !== undefined && !isRequired && !isDisabled && !isReadOnly && (
          <Button
            size="small"
            look="quiet"
            aria-label={`${isGone ? t('keepSecret') : common('delete')}: ${label}`}
            onPress={() => onChange(name, isGone ? '' : null)}
          >
            {isGone ? t('keepSecret') : common('delete')}
          </Button>
        )}
      </div>
    );
  }
  const isNumber = setting.type === 'number' || setting.type === 'integer';
  return (
    <Field
      {...shared}
      isReadOnly={isReadOnly}
      hint={hint}
      error={error}
      value={text}
      onChange={(next) => onChange(name, next)}
      autoFocus={autoFocus}
      {...(setting.default !== undefined && { placeholder: String(setting.default) })}
      {...(isNumber && { inputMode: 'decimal' as const })}
      ltr
    />
  );

  function choiceOf(option: unknown): string {
    return option === 'delivered' || option === 'dispatched' ? t(`choice.${option}`) : String(option);
  }
}

const isMap = (value: DraftValue | undefined): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The label of a setting; an unknown one uses the title of its schema. */
function useSettingWords(name: string, setting: Setting): { label: string; hint: string | undefined } {
  const words: Partial<Record<string, unknown>> = settingWords[useLanguage()];
  const known = words[`setting.${name}`];
  const hint = words[`setting.${name}.hint`];
  return {
    label: typeof known === 'string' ? known : (setting.title ?? name),
    hint: typeof hint === 'string' ? hint : setting.description,
  };
}

/** The service names a fault by the setting, or by a part of it: `settings.branches.W-7`. */
function errorOf(errors: Record<string, string>, name: string): string | undefined {
  const whole = errors[`settings.${name}`] ?? errors[name];
  if (whole !== undefined) return whole;
  const part = Object.entries(errors).find(([key]) => key.startsWith(`settings.${name}.`));
  return part === undefined ? undefined : `${part[0].slice(`settings.${name}.`.length)}: ${part[1]}`;
}
