import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useApi, useReadAgain } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Field, Notice } from '../../../ui/index.ts';
import { type Lifetime, LifetimeChoice } from '../expiry.tsx';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { settingsWords } from '../words.ts';
import { tokensWords } from './words.ts';

const FORM = 'new-token';

export default function NewToken({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(tokensWords);
  const settings = useWords(settingsWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.call('createSessionToken', {
        body: { name: name.trim(), expires_in_days: lifetime === 'never' ? null : Number(lifetime) },
      }),
    onSuccess: () => readAgain('listSessionTokens'),
  });
  function send(): void {
    setTried(true);
    if (name.trim() !== '') create.mutate();
  }
  const made = create.data;
  return (
    <Dialog
      title={t(made === undefined ? 'newTitle' : 'readyTitle')}
      isOpen
      onClose={onClose}
      foot={
        made === undefined ? (
          <>
            <Button onPress={onClose}>{common('cancel')}</Button>
            <Button type="submit" form={FORM} look="primary" isPending={create.isPending}>
              {t('make')}
            </Button>
          </>
        ) : (
          <Button look="primary" onPress={onClose}>
            {settings('done')}
          </Button>
        )
      }
    >
      {made === undefined ? (
        <Form id={FORM} onSend={send}>
          <Refusal error={create.error} words={{ 'too-many-session-tokens': t('tooMany') }} />
          <Field
            label={settings('name')}
            hint={t('nameHint')}
            value={name}
            onChange={setName}
            error={isTried && name.trim() === '' ? common('required') : undefined}
            maxLength={255}
            autoFocus
          />
          <LifetimeChoice value={lifetime} onChange={setLifetime} />
        </Form>
      ) : (
        <div className="settings-stack">
          <Notice>{settings('once')}</Notice>
          <CopyText label={t('token')} text={made.token} />
        </div>
      )}
    </Dialog>
  );
}
