import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useOrganization } from '../../platform/index.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Button, ConfirmDialog, Notice } from '../../ui/index.ts';
import type { Install } from './families.ts';
import { healthWords } from './health-words.ts';

/** Tests address and credentials, and replaces the ingest token, which is a secret and therefore for owners. */
export function ConnectionActions({ install }: { install: Install }): ReactNode {
  const t = useWords(healthWords);
  const api = useApi();
  const isOwner = useOrganization().role === 'owner';
  const [isAsking, setAsking] = useState(false);
  const path = { id: install.id };
  const test = useMutation({ mutationFn: () => api.call('testAppConnection', { path }) });
  const rotation = useMutation({
    mutationFn: () => api.call('rotateIngestToken', { path }),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <div className="apps-foot">
        <Button isPending={test.isPending} onPress={() => test.mutate()}>
          {t('test')}
        </Button>
        {isOwner && <Button onPress={() => setAsking(true)}>{t('newToken')}</Button>}
      </div>
      <TestResult result={test.data} error={test.error ?? rotation.error} />
      {rotation.data !== undefined && (
        <>
          <Notice tone="warn">{t('newTokenReady')}</Notice>
          <CopyField label={t('token')} value={rotation.data.data.ingest_token} />
        </>
      )}
      <ConfirmDialog
        title={t('newTokenTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotation.mutate()}
        confirm={t('newToken')}
        isBusy={rotation.isPending}
        danger
      >
        <p>{t('newTokenText')}</p>
      </ConfirmDialog>
    </>
  );
}

type Result = { ok: boolean; status_code: number | null; duration_ms: number; message: string };

function TestResult({ result, error }: { result: Result | undefined; error: Error | null }): ReactNode {
  const t = useWords(healthWords);
  const { number } = useFormat();
  const explain = useExplainError();
  if (error !== null) {
    const isMissing = error instanceof DukkanError && error.reason === 'app-has-no-connection-test';
    return <Notice tone={isMissing ? 'info' : 'bad'}>{isMissing ? t('testNone') : explain(error).title}</Notice>;
  }
  if (result === undefined) return null;
  const status = String(result.status_code ?? '');
  if (result.ok) {
    return <Notice tone="good">{t('testOk', { status, duration: number(result.duration_ms) })}</Notice>;
  }
  return (
    <Notice tone="bad">
      {result.status_code === null ? t('testFailed') : t('testRefused', { status })}
      {result.message !== '' && (
        <div className="small">
          <bdi>{result.message}</bdi>
        </div>
      )}
    </Notice>
  );
}
