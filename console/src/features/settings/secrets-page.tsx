import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../ui/index.ts';
import { extentOfData, ListPage, type ListSearch } from '../../ui/list/index.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import type { ListedSecret } from './secret-columns.tsx';

export const SECRETS_PER_PAGE = 25;

/** The list of API keys or of session tokens, with the dialogs that create and revoke one. */
export function SecretsPage<Row extends ListedSecret>(props: {
  title: string;
  t(word: 'note' | 'create' | 'empty' | 'emptyHint' | 'revokeText'): string;
  revokeTitle(name: string): string;
  list: ListSearch<{ page?: number }>;
  answer: UseQueryResult<{ data: readonly Row[]; total_count: number; page: number }>;
  mayCreate: boolean;
  NewSecret: ComponentType<{ onClose(): void }>;
  operations: Pick<Parameters<typeof RevokeDialog>[0], 'operation' | 'list'>;
  children(rows: readonly Row[], onRevoke: (secret: Row) => void): ReactNode;
}): ReactNode {
  const { title, t, revokeTitle, list, answer, mayCreate, NewSecret, operations, children } = props;
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Row | undefined>(undefined);
  return (
    <ListPage
      title={title}
      note={t('note')}
      tools={
        mayCreate && (
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {t('create')}
          </Button>
        )
      }
      list={list}
      answer={answer}
      extentOf={extentOfData}
      perPage={SECRETS_PER_PAGE}
      hideSinglePage
      skeletonRows={5}
      empty={{ icon: 'lock', title: t('empty'), hint: t('emptyHint') }}
      after={
        <>
          <Suspense>{isCreating && <NewSecret onClose={() => setCreating(false)} />}</Suspense>
          {revoking !== undefined && (
            <RevokeDialog
              secret={revoking}
              {...operations}
              title={revokeTitle}
              text={t('revokeText')}
              onClose={() => setRevoking(undefined)}
            />
          )}
        </>
      }
    >
      {({ data }) => children(data, setRevoking)}
    </ListPage>
  );
}
