import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Field, Loaded, Notice } from '../../../ui/index.ts';
import { readAmount } from '../parts/amount.ts';
import { Applications, type Settled } from '../parts/applications.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { useOperatorWords } from '../parts/say.ts';
import { SHOWS_MONEY } from './after-money.ts';
import type { Tenant } from './tenant.ts';
import { organizationsWords } from './words.ts';

/** Previews how the amount is applied to fees; afterwards shows what was applied, and whether it differs. */
export function GiveCredit({ one, onClose }: { one: Tenant; onClose(): void }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { money } = useFormat();
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [isTried, setTried] = useState(false);
  const amount = useDeferredValue(readAmount(typed));
  const preview = useRead(
    'previewTenantCredit',
    { query: { organization_id: one.id, amount_sar: amount ?? 0 } },
    { enabled: amount !== undefined, keepPrevious: true, staleTime: 0 },
  );
  const applying = useMutation({
    mutationFn: async (amount_sar: number) => {
      const body = { organization_id: one.id, amount_sar, note: note.trim() };
      const applied = await api.call('applyTenantCredit', { body, idempotencyKey: keyFor(body) });
      return { applied, shown: preview.data };
    },
    onSuccess: () => readAgain(...SHOWS_MONEY),
  });
  if (applying.data !== undefined) {
    const { applied, shown } = applying.data;
    const title = t('applied', { amount: money(applied.amount_sar) });
    return (
      <Dialog
        title={title}
        isOpen
        onClose={onClose}
        size="wide"
        foot={
          <Button look="primary" onPress={onClose}>
            {t('done')}
          </Button>
        }
      >
        {shown !== undefined && isSame(applied, shown) ? (
          <Notice tone="good">{t('appliedAsShown')}</Notice>
        ) : (
          <Notice tone="warn">{t('appliedOtherwise')}</Notice>
        )}
        <Applications label={title} settled={applied} />
      </Dialog>
    );
  }
  function send(): void {
    setTried(true);
    // Disabled until the preview is shown.
    if (amount === undefined || note.trim() === '' || preview.data?.amount_sar !== amount) return;
    applying.mutate(amount);
  }
  return (
    <FormDialog
      title={t('giveCredit')}
      onClose={onClose}
      onSend={send}
      send={amount === undefined ? t('applyPlain') : t('apply', { amount: money(amount) })}
      isBusy={applying.isPending || preview.isPlaceholderData}
      error={applying.error}
      size="wide"
    >
      <p className="soft">{t('creditText')}</p>
      <div className="operator-pair">
        <Field
          label={shared('amountSar')}
          hint={shared('amountHint')}
          value={typed}
          onChange={setTyped}
          error={isTried && amount === undefined ? shared('amountWrong') : undefined}
          inputMode="decimal"
          autoFocus
          ltr
        />
        <Field
          label={t('creditNote')}
          hint={t('creditNoteHint')}
          value={note}
          onChange={setNote}
          error={isTried && note.trim() === '' ? common('required') : undefined}
          maxLength={1000}
        />
      </div>
      {amount === undefined ? (
        <p className="soft">{t('previewFirst')}</p>
      ) : (
        <Loaded of={preview} rows={3}>
          {(shown) => <Applications label={t('preview')} settled={shown} />}
        </Loaded>
      )}
    </FormDialog>
  );
}

function isSame(one: Settled, other: Settled): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
