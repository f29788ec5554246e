import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../../platform/index.ts';
import { Field, Segments, showToast } from '../../../../ui/index.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useKeyFor } from '../../parts/key-for.ts';
import { useOperatorWords } from '../../parts/say.ts';
import type { Tenant } from '../tenant.ts';
import { supportWords } from './words.ts';

type Scope = 'read' | 'full';
const SCOPES: readonly Scope[] = ['read', 'full'];

export default function RequestAccess({ one, onClose }: { one: Tenant; onClose(): void }): ReactNode {
  const t = useWords(supportWords);
  const shared = useOperatorWords();
  const common = useWords(commonWords);
  const name = useName();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const [scope, setScope] = useState<Scope>('read');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const request = useMutation({
    mutationFn: (body: { scope: Scope; reason: string }) =>
      api.call('requestSupportAccess', { path: { id: one.id }, body, idempotencyKey: keyFor(body) }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('requested') });
      onClose();
      await readAgain('getOrganizationSupportAccess', 'listOperatorAudit');
    },
  });
  return (
    <FormDialog
      title={t('requestTitle', { name: name(one) })}
      onClose={onClose}
      onSend={() => {
        setTried(true);
        if (reason.trim() !== '') request.mutate({ scope, reason: reason.trim() });
      }}
      send={t('requestSend')}
      isBusy={request.isPending}
      error={request.error}
    >
      <p>{t('requestText')}</p>
      <div>
        <Segments
          label={t('scope')}
          value={scope}
          onChange={(next) => setScope(next)}
          options={SCOPES.map((value) => ({ value, text: t(`scope.${value}`) }))}
        />
      </div>
      <Field
        label={shared('reason')}
        hint={t('reasonHint')}
        value={reason}
        onChange={setReason}
        error={isTried && reason.trim() === '' ? common('required') : undefined}
        maxLength={500}
        lines={3}
        autoFocus
      />
    </FormDialog>
  );
}
