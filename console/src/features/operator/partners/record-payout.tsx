import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useRead, useReadAgain } from '../../../platform/index.ts';
import { DayField } from '../../../ui/day-field.tsx';
import { FileField } from '../../../ui/file-field.tsx';
import { Field, Notice, Select, showToast } from '../../../ui/index.ts';
import { readAmount } from '../parts/amount.ts';
import { startOf, todayInRiyadh } from '../parts/days.ts';
import { FILE_LIMIT_BYTES, FILES_TAKEN } from '../parts/files.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords } from '../parts/say.ts';
import { type Partner, payableOf } from './rates.tsx';
import { partnersWords } from './words.ts';

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

export function RecordPayout(props: { partners: Partner[]; partnerId: string; onClose(): void }): ReactNode {
  const t = useWords(partnersWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const { money } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { partners, onClose } = props;
  const [partnerId, setPartnerId] = useState(props.partnerId);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState('');
  const [period, setPeriod] = useState(todayInRiyadh().slice(0, 7));
  const [reference, setReference] = useState('');
  const [paidOn, setPaidOn] = useState(todayInRiyadh());
  const [proof, setProof] = useState<File | undefined>(undefined);
  const [isTried, setTried] = useState(false);
  const people = useRead('listPartnerUsers', { query: { partner_id: partnerId } });
  const payees = people.data?.items ?? [];
  const payee = payees.find(({ id }) => id === chosen) ?? payees[0];
  const partner = partners.find(({ partner_id }) => partner_id === partnerId);
  const due = partner === undefined ? 0 : payableOf(partner);
  const amount = readAmount(typed);
  const isRight = {
    payee: payee !== undefined,
    amount: amount !== undefined && amount <= due,
    period: MONTH.test(period),
    reference: reference.trim() !== '',
    paidOn: paidOn !== '',
    proof: proof === undefined || proof.size <= FILE_LIMIT_BYTES,
  };
  const recording = useMutation({
    mutationFn: () => {
      const fields = {
        partner_id: partnerId,
        partner_user_id: payee?.id ?? '',
        period,
        bank_reference: reference.trim(),
        // For today the current time is sent, not the start of the day.
        ...(paidOn !== todayInRiyadh() && { paid_at: startOf(paidOn) }),
        amount_sar: String(amount),
      };
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      if (proof !== undefined) body.set('proof', proof);
      const idempotencyKey = keyFor([fields, proof?.name, proof?.size, proof?.lastModified]);
      return api.call('recordPartnerCommission', { body, idempotencyKey });
    },
    onSuccess: async ({ amount_sar }) => {
      showToast({ tone: 'good', text: t('recorded', { amount: money(amount_sar) }) });
      onClose();
      await readAgain('listPartnerCommissions', 'listCommissionRates', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(recording.error);
  const wrong = (isFine: boolean, text: string, said: string | undefined) => (isTried && !isFine ? text : said);
  const tooMuch = amount !== undefined && amount > due;
  return (
    <FormDialog
      title={t('record')}
      onClose={onClose}
      onSend={() => {
        setTried(true);
        if (Object.values(isRight).every(Boolean)) recording.mutate();
      }}
      send={t('recordIt')}
      isBusy={recording.isPending}
      error={recording.error}
    >
      <p className="soft">{t('recordText')}</p>
      <Select
        label={t('partner')}
        value={partnerId}
        onChange={setPartnerId}
        options={partners.map((one) => ({ value: one.partner_id, text: one.partner_name }))}
      />
      {people.data !== undefined && payee === undefined ? (
        <Notice tone="warn">{t('noPayee')}</Notice>
      ) : (
        <Select
          label={t('payee')}
          value={payee?.id ?? ''}
          onChange={setChosen}
          options={payees.map((one) => ({ value: one.id, text: `${one.name} · ${one.iban_masked.slice(-7)}` }))}
        />
      )}
      <div className="operator-pair">
        <Field
          label={shared('amountSar')}
          hint={t('dueHint', { amount: money(due) })}
          value={typed}
          onChange={setTyped}
          error={
            tooMuch
              ? t('overDue', { amount: money(due) })
              : wrong(isRight.amount, shared('amountWrong'), refused.amount_sar)
          }
          inputMode="decimal"
          ltr
        />
        <Field
          label={t('period')}
          value={period}
          onChange={setPeriod}
          error={wrong(isRight.period, t('periodWrong'), refused.period)}
          placeholder="2026-11"
          ltr
        />
      </div>
      <div className="operator-pair">
        <Field
          label={t('reference')}
          value={reference}
          onChange={setReference}
          error={wrong(isRight.reference, common('required'), refused.bank_reference)}
          maxLength={140}
          ltr
        />
        <DayField
          label={t('paidAt')}
          value={paidOn}
          onChange={setPaidOn}
          error={wrong(isRight.paidOn, common('required'), refused.paid_at)}
        />
      </div>
      <FileField
        label={t('proof')}
        hint={t('proofHint')}
        error={isRight.proof ? refused.proof : t('proofTooLarge')}
        accept={FILES_TAKEN}
        choose={t('choose')}
        file={proof}
        onChange={setProof}
      />
    </FormDialog>
  );
}
