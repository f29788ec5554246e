import { createDukkan, DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { fieldErrors, useExplainError } from '../../platform/index.ts';
import { Button, EmptyState, Field, Notice } from '../../ui/index.ts';
import { SignInForm, SignInLayout } from './sign-in-layout.tsx';
import { tokenInAddress } from './token-in-address.ts';
import { signInWords } from './words.ts';

export function ResetPasswordPage(): ReactNode {
  const t = useWords(signInWords);
  const explain = useExplainError();
  const [token] = useState(tokenInAddress);
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => createDukkan({ baseUrl: '' }).call('resetPassword', { body: { token: token ?? '', password } }),
  });
  if (token === undefined) {
    return (
      <SignInLayout title={t('resetTitle')} intro="">
        <EmptyState icon="lock" title={t('inviteMissing')} hint={t('inviteMissingHint')} />
      </SignInLayout>
    );
  }
  const { error } = change;
  const isGone = error instanceof DukkanError && (error.status === 410 || error.status === 404);
  return (
    <SignInLayout title={t('resetTitle')} intro={t('resetIntro')}>
      {error !== null && <Notice tone="bad">{isGone ? t('inviteGone') : explain(error).title}</Notice>}
      {change.isSuccess ? (
        <>
          <Notice tone="good">{t('resetDone')}</Notice>
          <Link to="/sign-in" className="ui-button" data-look="primary">
            {t('signIn')}
          </Link>
        </>
      ) : (
        <SignInForm onSend={() => change.mutate()}>
          <Field
            label={t('newPassword')}
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
            error={fieldErrors(error).password}
            autoFocus
            ltr
          />
          <Button type="submit" look="primary" isDisabled={password === ''} isPending={change.isPending}>
            {t('reset')}
          </Button>
        </SignInForm>
      )}
    </SignInLayout>
  );
}
