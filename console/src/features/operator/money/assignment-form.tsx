import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useReadAgain } from '../../../platform/index.ts';
import { DayField } from '../../../ui/day-field.tsx';
import { Button, ConfirmDialog, Field, Segments, Select, showToast } from '../../../ui/index.ts';
import { readAmount } from '../parts/amount.ts';
import { dayAt, startOf, todayInRiyadh } from '../parts/days.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useToastRefusal } from '../parts/refusal.tsx';
import { useOperatorWords } from '../parts/say.ts';
import { useTenantName } from '../parts/tenants.ts';
import type { Assignment, Service } from './rows.ts';
import { moneyWords } from './words.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const READ = ['listServiceAssignments', 'listOperatorAudit'] as const;

/** Assigns a service to an install, or changes an assignment. Only changed fields are sent. */
export function AssignmentForm(props: { services: Service[]; assignment?: Assignment; onClose(): void }): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const name = useName();
  const tenant = useTenantName();
  const { money } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { services, assignment, onClose } = props;
  // A discontinued service stays assigned, but cannot be chosen.
  const choice = services.filter(({ id, is_active }) => is_active || id === assignment?.service_id);
  const [install, setInstall] = useState('');
  const [serviceId, setServiceId] = useState(assignment?.service_id ?? choice[0]?.id ?? '');
  const [typed, setTyped] = useState(assignment === undefined ? '' : String(assignment.price_sar));
  const [counted, setCounted] = useState(String(assignment?.quantity ?? 1));
  const [status, setStatus] = useState(assignment?.status ?? 'active');
  const [starts, setStarts] = useState(assignment === undefined ? todayInRiyadh() : dayAt(assignment.starts_at));
  const [isTried, setTried] = useState(false);
  const price = readAmount(typed);
  const quantity = Number(counted);
  const isRight = {
    install: assignment !== undefined || UUID.test(install.trim()),
    price: typed.trim() === '' || price !== undefined,
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= 10_000,
    starts: starts !== '',
  };
  const saving = useMutation({
    mutationFn: () => {
      const service = { service_id: serviceId, quantity, ...(price !== undefined && { price_sar: price }) };
      if (assignment === undefined) {
        const body = { ...service, organization_app_id: install.trim(), starts_at: startOf(starts) };
        return api.call('assignBillableService', { body, idempotencyKey: keyFor(body) });
      }
      const path = { orgAppId: assignment.organization_app_id };
      const body = {
        ...(serviceId !== assignment.service_id && { service_id: serviceId }),
        ...(price !== undefined && price !== assignment.price_sar && { price_sar: price }),
        ...(quantity !== assignment.quantity && { quantity }),
        ...(status !== assignment.status && { status }),
        ...(starts !== dayAt(assignment.starts_at) && { starts_at: startOf(starts) }),
      };
      return api.call('changeServiceAssignment', { path, body });
    },
    onSuccess: async () => {
      showToast({ tone: 'good', text: t(assignment === undefined ? 'assigned' : 'assignmentChanged') });
      onClose();
      await readAgain(...READ);
    },
  });
  const refused = fieldErrors(saving.error);
  const wrong = (isFine: boolean, text: string, said: string | undefined) => (isTried && !isFine ? text : said);
  const chosen = services.find(({ id }) => id === serviceId);
  return (
    <FormDialog
      title={assignment === undefined ? t('assign') : `${tenant(assignment.organization_id)}: ${t('changeAssignment')}`}
      onClose={onClose}
      onSend={() => {
        setTried(true);
        if (Object.values(isRight).every(Boolean)) saving.mutate();
      }}
      send={assignment === undefined ? t('assignIt') : common('save')}
      isBusy={saving.isPending}
      error={saving.error}
      {...(assignment && { beside: <Unassign assignment={assignment} onEnd={onClose} /> })}
    >
      {assignment === undefined && (
        <Field
          label={t('install')}
          hint={t('installHint')}
          value={install}
          onChange={setInstall}
          error={wrong(isRight.install, t('installWrong'), refused.organization_app_id)}
          autoFocus
          ltr
        />
      )}
      <Select
        label={t('service')}
        value={serviceId}
        onChange={(id) => {
          setServiceId(id);
          // Another service has its own price.
          setTyped(id === assignment?.service_id ? String(assignment.price_sar) : '');
        }}
        options={choice.map((one) => ({ value: one.id, text: name(one) }))}
      />
      <div className="operator-pair">
        <Field
          label={t('ownPrice')}
          {...(chosen && { hint: t('ownPriceHint', { price: money(chosen.price_sar) }) })}
          value={typed}
          onChange={setTyped}
          error={wrong(isRight.price, shared('amountWrong'), refused.price_sar)}
          inputMode="decimal"
          ltr
        />
        <Field
          label={t('quantity')}
          value={counted}
          onChange={setCounted}
          error={wrong(isRight.quantity, t('quantityWrong'), refused.quantity)}
          inputMode="numeric"
          ltr
        />
      </div>
      <DayField
        label={t('starts')}
        hint={t('startsHint')}
        value={starts}
        onChange={setStarts}
        error={wrong(isRight.starts, common('required'), refused.starts_at)}
      />
      {assignment !== undefined && (
        <div className="ui-field">
          <span className="ui-label">{shared('status')}</span>
          <Segments<Assignment['status']>
            label={shared('status')}
            value={status}
            onChange={setStatus}
            options={(['active', 'paused'] as const).map((value) => ({ value, text: t(`status.${value}`) }))}
          />
        </div>
      )}
    </FormDialog>
  );
}

function Unassign({ assignment, onEnd }: { assignment: Assignment; onEnd(): void }): ReactNode {
  const t = useWords(moneyWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const [isAsking, setAsking] = useState(false);
  const ending = useMutation({
    mutationFn: () => api.call('unassignBillableService', { path: { orgAppId: assignment.organization_app_id } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('unassigned') });
      onEnd();
      await readAgain(...READ);
    },
    onError: useToastRefusal(),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button look="danger" onPress={() => setAsking(true)}>
        {t('unassign')}
      </Button>
      <ConfirmDialog
        title={t('unassignTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => ending.mutate()}
        confirm={t('unassign')}
        isBusy={ending.isPending}
        danger
      >
        <p>{t('unassignText')}</p>
      </ConfirmDialog>
    </>
  );
}
