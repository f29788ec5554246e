import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import {
  fieldErrors,
  ifMatch,
  reloadAccount,
  saveFields,
  useApi,
  useDraft,
  useMay,
  useOrganization,
  useRead,
  useReadAgain,
  useSession,
} from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Card, Checkbox, Facts, Field, Loaded, Page, Select, showToast } from '../../../ui/index.ts';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { usePlanName } from '../../../ui/plan-names.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { settingsWords } from '../words.ts';
import { currenciesIn, timeZonesIn } from './places.ts';
import { organizationWords } from './words.ts';

type Organization = Schemas['Organization'];
type Draft = Pick<
  Organization,
  'name_en' | 'name_ar' | 'time_zone' | 'currency' | 'vat_number' | 'address' | 'require_totp'
>;

export function OrganizationPage(): ReactNode {
  const t = useWords(organizationWords);
  const settings = useWords(settingsWords);
  const organization = useRead('getOrganization', {});
  return (
    <Page title={settings('organization')} note={t('note')}>
      <Loaded of={organization} rows={8}>
        {(found) => (
          <div className="settings-two">
            {/* Remounted when another user changed it and this form has no edits. */}
            <OrganizationForm organization={found} />
            <Technical organization={found} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const LABELS = {
  name_en: 'nameEn',
  name_ar: 'nameAr',
  time_zone: 'timeZone',
  currency: 'currency',
  vat_number: 'vat',
  address: 'address',
  require_totp: 'requireTotp',
} as const;

const isSameAs = (organization: Organization, change: Partial<Draft>) =>
  Object.entries(change).every(([name, value]) => organization[name as keyof Draft] === value);

function OrganizationForm({ organization }: { organization: Organization }): ReactNode {
  const t = useWords(organizationWords);
  const common = useWords(commonWords);
  const { locale } = useFormat();
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const { branch_id } = useOrganization();
  const {
    values: change,
    setValues: setChange,
    clear,
  } = useDraft<Partial<Draft>>('organization', {}, { isUnchanged: (values) => isSameAs(organization, values) });
  const draft: Draft = { ...organization, ...change };
  const changed = Object.fromEntries(
    Object.entries(change).filter(([name, value]) => organization[name as keyof Draft] !== value),
  ) as Partial<Draft>;
  const isChanged = Object.keys(changed).length > 0;
  // The version that the edits began with: what others save meanwhile is shown as a conflict.
  const base = useRef(organization);
  if (!isChanged) base.current = organization;
  const { choose, dialog } = useConflictChoice((field) => (field in LABELS ? t(LABELS[field as keyof Draft]) : field));
  const isReadOnly = !may('update:Settings') || branch_id !== null;
  const save = useMutation({
    mutationFn: () =>
      saveFields({
        base: base.current,
        change: changed,
        choose,
        send: async (body, latest) => (await api.call('updateOrganization', { body, headers: ifMatch(latest) })).data,
      }),
    onSuccess: async () => {
      clear({});
      showToast({ tone: 'good', text: common('saved') });
      // The frame shows its name, and times are in its time zone.
      await Promise.all([readAgain('getOrganization'), reloadAccount()]);
    },
  });
  const refused = fieldErrors(save.error);
  const missing = (value: string) => (value.trim() === '' ? common('required') : undefined);
  const errors = {
    name_en: missing(draft.name_en) ?? refused.name_en,
    name_ar: missing(draft.name_ar) ?? refused.name_ar,
    vat_number: /^(|3\d{13}3)$/.test(draft.vat_number) ? refused.vat_number : t('vatWrong'),
  };
  const isWrong =
    missing(draft.name_en) ?? missing(draft.name_ar) ?? (errors.vat_number === t('vatWrong') || undefined);
  const set = (part: Partial<Draft>) => setChange((before) => ({ ...before, ...part }));
  return (
    <Form onSend={() => isWrong === undefined && isChanged && save.mutate()}>
      <LeaveGuard isDirty={isChanged} onDiscard={() => clear({})} />
      {dialog}
      <Refusal error={save.error} words={{ 'second-factor-required': t('requireTotpFirst') }} />
      <Card title={t('about')}>
        <div className="settings-stack">
          <div className="settings-pair">
            <Field
              label={t('nameEn')}
              value={draft.name_en}
              onChange={(name_en) => set({ name_en })}
              error={errors.name_en}
              isReadOnly={isReadOnly}
              ltr
            />
            <div className="settings-rtl">
              <Field
                label={t('nameAr')}
                value={draft.name_ar}
                onChange={(name_ar) => set({ name_ar })}
                error={errors.name_ar}
                isReadOnly={isReadOnly}
              />
            </div>
          </div>
          <Field
            label={t('vat')}
            hint={t('vatHint')}
            value={draft.vat_number}
            onChange={(vat_number) => set({ vat_number: vat_number.trim() })}
            error={errors.vat_number}
            isReadOnly={isReadOnly}
            inputMode="numeric"
            ltr
          />
          <Field
            label={t('address')}
            hint={t('addressHint')}
            value={draft.address}
            onChange={(address) => set({ address })}
            error={refused.address}
            isReadOnly={isReadOnly}
            lines={2}
          />
        </div>
      </Card>
      <Card title={t('region')}>
        <div className="settings-stack">
          <Select
            label={t('timeZone')}
            value={draft.time_zone}
            onChange={(time_zone) => set({ time_zone })}
            isDisabled={isReadOnly}
            options={timeZonesIn(locale, organization.time_zone)}
          />
          <p className="soft small">{t('timeZoneHint')}</p>
          <Select
            label={t('currency')}
            value={draft.currency}
            onChange={(currency) => set({ currency })}
            isDisabled={isReadOnly}
            options={currenciesIn(locale, organization.currency)}
          />
        </div>
      </Card>
      <Card title={t('protection')}>
        <RequireSecondFactor
          isOn={draft.require_totp}
          onChange={(require_totp) => set({ require_totp })}
          isReadOnly={isReadOnly}
        />
      </Card>
      {isReadOnly ? (
        <p className="soft">{t('readOnly')}</p>
      ) : (
        <div className="settings-buttons">
          <Button
            type="submit"
            look="primary"
            isDisabled={!isChanged || isWrong !== undefined}
            isPending={save.isPending}
          >
            {common('save')}
          </Button>
          {isChanged && (
            <Button look="quiet" onPress={() => clear({})}>
              {common('cancel')}
            </Button>
          )}
        </div>
      )}
    </Form>
  );
}

/** Requires a second factor of one's own: without it this user would be the first to be locked out. */
function RequireSecondFactor(props: { isOn: boolean; onChange(isOn: boolean): void; isReadOnly: boolean }): ReactNode {
  const t = useWords(organizationWords);
  const session = useSession();
  const hasOwn = session.phase === 'in' && session.account.user.has_second_factor;
  const isShut = !hasOwn && !props.isOn;
  return (
    <div className="settings-stack">
      <Checkbox isSelected={props.isOn} onChange={props.onChange} isDisabled={props.isReadOnly || isShut}>
        {t('requireTotp')}
      </Checkbox>
      <p className="soft small">
        {t('requireTotpHint')}
        {isShut && !props.isReadOnly && (
          <>
            {' '}
            {t('requireTotpFirst')} <Link to={'/settings/security' as '/'}>{t('requireTotpSet')}</Link>
          </>
        )}
      </p>
    </div>
  );
}

function Technical({ organization }: { organization: Organization }): ReactNode {
  const t = useWords(organizationWords);
  const planName = usePlanName();
  const { date, dateTime, hijri } = useFormat();
  return (
    <Card title={t('technical')}>
      <div className="settings-stack">
        <CopyText label={t('id')} text={organization.id} />
        <Facts
          facts={[
            [t('plan'), planName(organization.plan)],
            [
              t('since'),
              <span key="since" title={hijri(organization.created)}>
                {date(organization.created)}
              </span>,
            ],
            [t('changed'), dateTime(organization.updated)],
          ]}
        />
      </div>
    </Card>
  );
}
