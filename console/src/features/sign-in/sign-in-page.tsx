import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { GoOnce, parseSearch, signIn, useExplainError, useSession } from '../../platform/index.ts';
import { Button, Field, Notice } from '../../ui/index.ts';
import { type DemoLogin, DemoLogins } from './demo-logins.tsx';
import { SignInForm, SignInLayout } from './sign-in-layout.tsx';
import { signInWords } from './words.ts';

const route = getRouteApi('/sign-in');

export function SignInPage(): ReactNode {
  const t = useWords(signInWords);
  const common = useWords(commonWords);
  const { next } = route.useSearch();
  const session = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [isTried, setTried] = useState(false);
  const entry = useMutation({
    mutationFn: (given: { email?: string; password?: string; code?: string }) =>
      signIn({ email: email.trim(), password, ...given }),
    onError: (error) => asksForCode(error) && setNeedsCode(true),
  });
  // Only the same user returns to the address where the session ended: it contains names and filters.
  const endedFor = useRef<string>(undefined);
  if (session.phase === 'out' && session.reason === 'expired') endedFor.current = session.userId;
  if (session.phase === 'in') {
    const isOther = endedFor.current !== undefined && endedFor.current !== session.account.user.id;
    return <GoOnce where={() => placeIn(isOther ? '/' : (next ?? '/'))} />;
  }

  const missing = (value: string) => (isTried && value.trim() === '' ? common('required') : undefined);
  function send(): void {
    setTried(true);
    if (email.trim() === '' || password === '' || (needsCode && code.trim() === '')) return;
    entry.mutate(needsCode ? { code: code.trim() } : {});
  }
  function chooseDemo(login: DemoLogin): void {
    setEmail(login.email);
    setPassword(login.password);
    entry.mutate({ email: login.email, password: login.password });
  }
  const ended = session.phase === 'out' && session.reason === 'expired';
  return (
    <SignInLayout title={t('title')} intro={needsCode ? t('codeIntro') : t('intro')}>
      {ended && entry.isIdle && <Notice>{t('ended')}</Notice>}
      <Refusal error={entry.error} triedCode={entry.variables?.code !== undefined} />
      <SignInForm onSend={send}>
        {needsCode ? (
          <Field
            key="code"
            label={t('code')}
            hint={t('codeHint')}
            value={code}
            onChange={setCode}
            error={entry.isPending ? undefined : missing(code)}
            autoComplete="one-time-code"
            inputMode="text"
            autoFocus
            ltr
          />
        ) : (
          <>
            <Field
              label={t('email')}
              type="email"
              value={email}
              onChange={setEmail}
              error={missing(email)}
              autoComplete="username"
              autoFocus
              ltr
            />
            <Field
              label={t('password')}
              type="password"
              value={password}
              onChange={setPassword}
              error={missing(password)}
              autoComplete="current-password"
              ltr
            />
          </>
        )}
        <Button type="submit" look="primary" isPending={entry.isPending}>
          {t('signIn')}
        </Button>
        {needsCode && (
          <Button
            look="quiet"
            onPress={() => {
              setNeedsCode(false);
              setCode('');
              setTried(false);
              entry.reset();
            }}
          >
            {t('otherAccount')}
          </Button>
        )}
      </SignInForm>
      {!needsCode && (
        <details className="sign-in-forgot">
          <summary>{t('forgot')}</summary>
          <p className="soft">{t('forgotLink')}</p>
          <p className="soft">{t('forgotOperator')}</p>
          <p className="soft">{t('forgotNoEmail')}</p>
        </details>
      )}
      {!needsCode && <DemoLogins isPending={entry.isPending} onChoose={chooseDemo} />}
      <p className="soft small">
        {t('newHere')} <Link to="/welcome">{t('about')}</Link>
      </p>
    </SignInLayout>
  );
}

/** The address that was asked for before sign-in, with its filters. */
function placeIn(address: string) {
  const { pathname, search, hash } = new URL(address, window.location.origin);
  return { to: pathname, search: parseSearch(search), hash: hash.slice(1) };
}

function Refusal({ error, triedCode }: { error: Error | null; triedCode: boolean }): ReactNode {
  const t = useWords(signInWords);
  const explain = useExplainError();
  if (error === null) return null;
  if (asksForCode(error)) return triedCode ? <Notice tone="bad">{t('wrongCode')}</Notice> : null;
  if (error instanceof DukkanError && error.status === 401) return <Notice tone="bad">{t('wrong')}</Notice>;
  if (error instanceof DukkanError && error.status === 429) return <Notice tone="bad">{t('tooMany')}</Notice>;
  const { title, hint } = explain(error);
  return (
    <Notice tone="bad">
      {title} {hint}
    </Notice>
  );
}

function asksForCode(error: Error): boolean {
  if (!(error instanceof DukkanError) || error.status !== 401) return false;
  return typeof error.details === 'object' && error.details?.totp === true;
}
