import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { Button, Dialog, Field, Notice, Segments, showToast } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { supportWords } from './words.ts';

const FORM = 'allow-support';
type Hours = '1' | '8' | '24' | '72';
type Scope = 'read' | 'full';
const HOURS: readonly Hours[] = ['1', '8', '24', '72'];
const SCOPES: readonly Scope[] = ['read', 'full'];

/** Opens access, in answer to a request or without one. */
export default function AllowDialog(props: {
  request: Schemas['SupportRequest'] | undefined;
  onClose(): void;
}): ReactNode {
  const t = useWords(supportWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const { request, onClose } = props;
  const [hours, setHours] = useState<Hours>('8');
  const [scope, setScope] = useState<Scope>(request?.scope ?? 'read');
  const [reason, setReason] = useState('');
  const allow = useMutation({
    mutationFn: () =>
      api.call('grantSupportAccess', {
        body: {
          scope,
          duration_hours: Number(hours) as 1 | 8 | 24 | 72,
          reason: reason.trim(),
          ...(request && { request_id: request.id }),
        },
      }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('allowed') });
      onClose();
      await readAgain('getSupportAccess', 'listSupportGrants', 'listAudit');
    },
  });
  return (
    <Dialog
      title={t('allow')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isPending={allow.isPending}>
            {t('allow')}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSend={() => !allow.isPending && allow.mutate()}>
        <Refusal error={allow.error} />
        {request !== undefined && (
          <Notice>
            <strong>{t('asks', { name: request.operator.name })}</strong>
            <div dir="auto">{request.reason}</div>
          </Notice>
        )}
        <div className="settings-choice">
          <span>{t('duration')}</span>
          <Segments
            label={t('duration')}
            value={hours}
            onChange={(next) => setHours(next)}
            options={HOURS.map((value) => ({ value, text: t(`duration.${value}`) }))}
          />
        </div>
        <div className="settings-choice">
          <span>{t('scope')}</span>
          <Segments
            label={t('scope')}
            value={scope}
            onChange={(next) => setScope(next)}
            options={SCOPES.map((value) => ({ value, text: t(`scope.${value}`) }))}
          />
          <span className="soft small">{t(`scope.${scope}.hint`)}</span>
        </div>
        <Field
          label={t('reason')}
          hint={t('reasonHint')}
          value={reason}
          onChange={setReason}
          maxLength={500}
          lines={2}
        />
      </Form>
    </Dialog>
  );
}
