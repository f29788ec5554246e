import { DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi } from '../../../platform/index.ts';
import { Button, Dialog, Field } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { securityWords } from './words.ts';

const FORM = 'enrol-factor';

/** Asks for the password: an unlocked screen must not be enough to link the account to another person's phone. */
export default function EnrolDialog(props: {
  onSecret(secret: Schemas['TotpSecret']): void;
  onClose(): void;
}): ReactNode {
  const t = useWords(securityWords);
  const common = useWords(commonWords);
  const api = useApi();
  const { onSecret, onClose } = props;
  const [password, setPassword] = useState('');
  const enrol = useMutation({
    mutationFn: () => api.call('enrolTotp', { body: { password } }),
    onSuccess: onSecret,
  });
  const refused = fieldErrors(enrol.error);
  const isExpected = enrol.error instanceof DukkanError && enrol.error.status === 422;
  return (
    <Dialog
      title={t('enrolTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isDisabled={password === ''} isPending={enrol.isPending}>
            {t('enrolNext')}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSend={() => password !== '' && enrol.mutate()}>
        <p>{t('enrolText')}</p>
        {!isExpected && <Refusal error={enrol.error} />}
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
      </Form>
    </Dialog>
  );
}
