import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, reloadAccount, useApi } from '../../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { securityWords } from './words.ts';

const FORM = 'disable-factor';

export default function DisableDialog({ isRequired, onClose }: { isRequired: boolean; onClose(): void }): ReactNode {
  const t = useWords(securityWords);
  const common = useWords(commonWords);
  const api = useApi();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const disable = useMutation({
    mutationFn: () => api.call('disableTotp', { body: { password, code: code.trim() } }),
    onSuccess: async () => {
      showToast({ tone: 'info', text: t('off') });
      onClose();
      await reloadAccount();
    },
  });
  const refused = fieldErrors(disable.error);
  const isExpected = disable.error instanceof DukkanError && disable.error.status === 422;
  return (
    <Dialog
      title={t('disableTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            form={FORM}
            look="danger"
            isDisabled={password === '' || code.trim() === ''}
            isPending={disable.isPending}
          >
            {t('disable')}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSend={() => disable.mutate()}>
        <p>{t('disableText')}</p>
        {isRequired && <Notice tone="warn">{t('disableRequired')}</Notice>}
        {!isExpected && <Refusal error={disable.error} />}
        <Field
          label={t('password')}
          type="password"
          value={password}
          onChange={setPassword}
          error={refused.password === undefined ? undefined : t('wrong')}
          autoComplete="current-password"
          autoFocus
          ltr
        />
        <Field
          label={t('codeOrRecovery')}
          value={code}
          onChange={setCode}
          error={refused.code === undefined ? undefined : t('usedCode')}
          autoComplete="one-time-code"
          ltr
        />
      </Form>
    </Dialog>
  );
}
