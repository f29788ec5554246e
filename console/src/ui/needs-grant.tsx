import type { ReactNode } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { type Grant, useMay, useOrganization } from '../platform/index.ts';
import { EmptyState, Page } from './parts.tsx';

/** A page with a form, which an account without the grant reaches by its address only. `isWhole`: closed to accounts of one branch. */
export function NeedsGrant(props: { grant: Grant; title: string; isWhole?: boolean; children: ReactNode }): ReactNode {
  const t = useWords(commonWords);
  const may = useMay();
  const isConfined = useOrganization().branch_id !== null;
  if (may(props.grant) && !(props.isWhole === true && isConfined)) return props.children;
  return (
    <Page title={props.title}>
      <EmptyState icon="lock" title={t('forbidden')} hint={t('forbiddenPlain')} />
    </Page>
  );
}
