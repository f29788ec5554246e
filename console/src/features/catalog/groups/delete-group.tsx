import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { useExplainError } from '../../../platform/index.ts';
import { Button, ConfirmDialog, Dialog, showToast } from '../../../ui/index.ts';
import type { GroupKind } from '../group-picker.tsx';
import { type Group, useGroupCalls } from './group-calls.ts';
import { groupsWords } from './words.ts';

/** Asks for confirmation; if products still use it, shows how many and links to them. */
export function DeleteGroup({ kind, group, onClose }: { kind: GroupKind; group: Group; onClose(): void }): ReactNode {
  const t = useWords(groupsWords);
  const common = useWords(commonWords);
  const name = useName()(group);
  const explain = useExplainError();
  const { remove } = useGroupCalls(kind);
  const act = useMutation({
    mutationFn: () => remove(group),
    onSuccess: () => {
      showToast({ tone: 'good', text: t(`${kind}.deleted`) });
      onClose();
    },
    onError: (error) => {
      if (productsIn(error) !== undefined) return;
      showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
      onClose();
    },
  });
  const products = productsIn(act.error);
  if (products !== undefined) {
    return (
      <Dialog
        title={t('usedTitle', { name })}
        isOpen
        onClose={onClose}
        foot={
          <>
            <Button onPress={onClose}>{common('close')}</Button>
            <Link
              className="ui-button"
              data-look="primary"
              to="/products"
              search={kind === 'brand' ? { brand: group.id } : { category: group.id }}
            >
              {t('show')}
            </Link>
          </>
        }
      >
        <p>{t('used', { count: products })}</p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      isOpen
      onClose={onClose}
      onConfirm={() => act.mutate()}
      confirm={common('delete')}
      isBusy={act.isPending}
      danger
    >
      <p>{t('deleteText')}</p>
    </ConfirmDialog>
  );
}

/** The number of products that prevent the deletion. */
function productsIn(error: unknown): number | undefined {
  if (!(error instanceof DukkanError) || error.status !== 409) return undefined;
  const { details } = error;
  if (typeof details !== 'object' || details === null) return undefined;
  return typeof details.products === 'number' ? details.products : undefined;
}
