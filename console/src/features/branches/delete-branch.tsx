import { DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../ui/index.ts';
import { branchesWords } from './words.ts';

/** First tries without SKUs; for a branch with SKUs the user has to type its code to continue. */
export function DeleteBranch({ branch, onClose }: { branch: Schemas['Branch']; onClose(): void }): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const navigate = useNavigate();
  const [written, setWritten] = useState('');
  const deletion = useMutation({
    mutationFn: ({ force }: { force: boolean }) =>
      api.call('deleteBranch', { path: { ivId: branch.iv_id }, query: { force } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('deleted') });
      await navigate({ to: '/branches' });
      await readAgain('listBranches');
    },
  });
  const { error } = deletion;
  const skus = skusIn(error);
  const isHeld = skus !== undefined && written.trim() !== branch.iv_id;
  return (
    <Dialog
      title={t('deleteTitle')}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            look="danger"
            isDisabled={isHeld}
            isPending={deletion.isPending}
            onPress={() => deletion.mutate({ force: skus !== undefined })}
          >
            {t('delete')}
          </Button>
        </>
      }
    >
      <div className="branch-form">
        <p>{t('deleteText')}</p>
        {skus !== undefined && (
          <>
            <Notice tone="warn">{t('deleteSkus', { count: skus })}</Notice>
            <Field
              label={t('deleteType', { code: branch.iv_id })}
              value={written}
              onChange={setWritten}
              autoFocus
              ltr
            />
          </>
        )}
        {error !== null && skus === undefined && <Notice tone="bad">{explain(error).title}</Notice>}
      </div>
    </Dialog>
  );
}

function skusIn(error: Error | null): number | undefined {
  if (!(error instanceof DukkanError) || error.status !== 409 || typeof error.details !== 'object') return undefined;
  const skus = error.details?.skus;
  return typeof skus === 'number' ? skus : undefined;
}
