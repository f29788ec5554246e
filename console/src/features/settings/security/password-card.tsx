import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { type Account, fieldErrors, signIn, signOut, useApi } from '../../../platform/index.ts';
import { Button, Card, Field, showToast } from '../../../ui/index.ts';
import { Form } from '../form.tsx';
import { Refusal } from '../refusal.tsx';
import { securityWords } from './words.ts';

const LEAST_CHARACTERS = 8;
const EMPTY = { current: '', next: '', again: '' };

export function PasswordCard({ user }: { user: Account['user'] }): ReactNode {
  const t = useWords(securityWords);
  const common = useWords(commonWords);
  const api = useApi();
  const [typed, setTyped] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: async () => {
      await api.call('changePassword', { body: { current_password: typed.current, new_password: typed.next } });
      // The service has ended this session with all others. An account with a second factor enters its code at sign-in.
      if (user.has_second_factor) await signOut().catch(() => undefined);
      else await signIn({ email: user.email, password: typed.next });
    },
    onSuccess: () => {
      setTyped(EMPTY);
      setTried(false);
      showToast({ tone: 'good', text: t('changed') });
    },
  });
  const isWrong = fieldErrors(change.error).current_password !== undefined && !change.isPending;
  const errors = {
    current: typed.current === '' ? common('required') : undefined,
    next: typed.next.length < LEAST_CHARACTERS ? t('short') : undefined,
    again: typed.again === typed.next ? undefined : t('differs'),
  };
  function send(): void {
    setTried(true);
    if (Object.values(errors).every((error) => error === undefined)) change.mutate();
  }
  const shown = (error: string | undefined) => (isTried ? error : undefined);
  const set = (part: Partial<typeof EMPTY>) => {
    if (change.isError) change.reset();
    setTyped((before) => ({ ...before, ...part }));
  };
  return (
    <Card title={t('password')}>
      <Form onSend={send}>
        {!isWrong && <Refusal error={change.error} words={wordsOf(change.error, t('tooMany'))} />}
        <Field
          label={t('current')}
          type="password"
          value={typed.current}
          onChange={(current) => set({ current })}
          error={isWrong ? t('wrong') : shown(errors.current)}
          autoComplete="current-password"
          ltr
        />
        <div className="settings-pair">
          <Field
            label={t('next')}
            type="password"
            value={typed.next}
            onChange={(next) => set({ next })}
            hint={t('nextHint')}
            error={shown(errors.next)}
            autoComplete="new-password"
            ltr
          />
          <Field
            label={t('again')}
            type="password"
            value={typed.again}
            onChange={(again) => set({ again })}
            error={shown(errors.again)}
            autoComplete="new-password"
            ltr
          />
        </div>
        <p className="soft small">{t(user.has_second_factor ? 'changeHintCode' : 'changeHint')}</p>
        <div className="settings-buttons">
          <Button type="submit" look="primary" isPending={change.isPending}>
            {t('change')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function wordsOf(error: unknown, tooMany: string): Record<string, string> {
  return error instanceof DukkanError && error.status === 429 ? { [error.reason]: tooMany } : {};
}
