import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { acceptInvitation, fieldErrors, GoOnce, useExplainError } from '../../platform/index.ts';
import { Button, EmptyState, Field, Notice } from '../../ui/index.ts';
import { SignInForm, SignInLayout } from './sign-in-layout.tsx';
import { tokenInAddress } from './token-in-address.ts';
import { signInWords } from './words.ts';

const LEAST_CHARACTERS = 8;

export function InvitePage(): ReactNode {
  const t = useWords(signInWords);
  const common = useWords(commonWords);
  const explain = useExplainError();
  const [token] = useState(tokenInAddress);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const entry = useMutation({
    mutationFn: () =>
      acceptInvitation({
        token: token ?? '',
        password,
        name: name.trim(),
        ...(code.trim() === '' ? {} : { code: code.trim() }),
      }),
  });
  if (entry.isSuccess) return <GoOnce where={() => ({ to: '/' })} />;
  if (token === undefined) {
    return (
      <SignInLayout title={t('inviteTitle')} intro="">
        <EmptyState icon="lock" title={t('inviteMissing')} hint={t('inviteMissingHint')} />
      </SignInLayout>
    );
  }
  const { error } = entry;
  const status = error instanceof DukkanError ? error.status : undefined;
  const fields = fieldErrors(error);
  const needsCode = error instanceof DukkanError && typeof error.details === 'object' && error.details?.totp === true;
  return (
    <SignInLayout title={t('inviteTitle')} intro={t('inviteIntro')}>
      {error !== null && !needsCode && (
        <Notice tone="bad">
          {status === 410 || status === 404
            ? t('inviteGone')
            : status === 401
              ? t('inviteWrong')
              : explain(error).title}
        </Notice>
      )}
      <SignInForm onSend={() => entry.mutate()}>
        <Field
          label={t('name')}
          value={name}
          onChange={setName}
          autoComplete="name"
          error={fields.name === undefined ? undefined : common('required')}
          autoFocus
        />
        <Field
          label={t('newPassword')}
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          hint={t('newPasswordHint', { least: LEAST_CHARACTERS })}
          error={fields.password === undefined ? undefined : t('newPasswordHint', { least: LEAST_CHARACTERS })}
          ltr
        />
        {(needsCode || code !== '') && (
          <Field
            label={t('code')}
            hint={t('codeHint')}
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            ltr
          />
        )}
        <Button type="submit" look="primary" isDisabled={password === ''} isPending={entry.isPending}>
          {t('accept')}
        </Button>
      </SignInForm>
    </SignInLayout>
  );
}
