import { DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { type Account, reloadAccount, useApi } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Badge, Button, Card, Field, showToast } from '../../../ui/index.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { securityWords } from './words.ts';

const DisableDialog = lazy(() => import('./disable-dialog.tsx'));
const EnrolDialog = lazy(() => import('./enrol-dialog.tsx'));

type Secret = Schemas['TotpSecret'];

export function SecondFactorCard({ user, isRequired }: { user: Account['user']; isRequired: boolean }): ReactNode {
  const t = useWords(securityWords);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const [isDisabling, setDisabling] = useState(false);
  const [isEnrolling, setEnrolling] = useState(false);
  const [secret, setSecret] = useState<Secret | undefined>(undefined);
  const isOn = user.has_second_factor;
  return (
    <Card
      title={t('factor')}
      tools={<Badge tone={isOn ? 'good' : isRequired ? 'warn' : 'plain'}>{t(isOn ? 'factorOn' : 'factorOff')}</Badge>}
    >
      <div className="settings-stack">
        <p className="soft">{t('factorHint')}</p>
        {secret !== undefined && !isOn && <Confirmation secret={secret} onCodes={setCodes} />}
        {secret === undefined && !isOn && (
          <div className="settings-buttons">
            <Button look="primary" icon="lock" onPress={() => setEnrolling(true)}>
              {t('enrol')}
            </Button>
          </div>
        )}
        {isOn && (
          <div className="settings-buttons">
            <Button onPress={() => setDisabling(true)}>{t('disable')}</Button>
          </div>
        )}
      </div>
      {codes !== undefined && (
        <RecoveryCodes
          codes={codes}
          email={user.email}
          onClose={() => {
            setCodes(undefined);
            setSecret(undefined);
          }}
        />
      )}
      <Suspense>
        {isEnrolling && (
          <EnrolDialog
            onSecret={(made) => {
              setEnrolling(false);
              setSecret(made);
            }}
            onClose={() => setEnrolling(false)}
          />
        )}
        {isDisabling && (
          <DisableDialog
            isRequired={isRequired}
            onClose={() => {
              setDisabling(false);
              setSecret(undefined);
            }}
          />
        )}
      </Suspense>
    </Card>
  );
}

/** The first code confirms that the app has the secret; codes are required only after that. */
function Confirmation(props: { secret: Secret; onCodes(codes: readonly string[]): void }): ReactNode {
  const t = useWords(securityWords);
  const api = useApi();
  const [code, setCode] = useState('');
  const { secret, otpauth_url } = props.secret;
  const confirm = useMutation({
    mutationFn: () => api.call('confirmTotp', { body: { code: code.replace(/\s/g, '') } }),
    onSuccess: async ({ recovery_codes }) => {
      props.onCodes(recovery_codes);
      showToast({ tone: 'good', text: t('on') });
      await reloadAccount();
    },
  });
  const isWrong = confirm.error instanceof DukkanError && confirm.error.status === 422;
  return (
    <div className="settings-enrol">
      <div className="settings-qr">
        <QrCode text={otpauth_url} label={t('qr')} />
      </div>
      <Form onSend={() => code.trim() !== '' && confirm.mutate()}>
        <p>{t('scan')}</p>
        <CopyText label={t('secret')} text={secret} />
        {!isWrong && <Refusal error={confirm.error} />}
        <Field
          label={t('code')}
          hint={t('codeHint')}
          value={code}
          onChange={setCode}
          error={isWrong ? t('wrongCode') : undefined}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          ltr
        />
        <div className="settings-buttons">
          <Button type="submit" look="primary" isDisabled={code.trim() === ''} isPending={confirm.isPending}>
            {t('confirm')}
          </Button>
        </div>
      </Form>
    </div>
  );
}
