import type { ReactNode } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';

export function Pager(props: { page: number; perPage: number; total: number; onPage(page: number): void }): ReactNode {
  const t = useWords(commonWords);
  const { page, perPage, total, onPage } = props;
  const pages = Math.max(1, Math.ceil(total / perPage));
  const from = total === 0 ? 0 : (page - 1) * perPage + 1;
  return (
    <nav className="ui-pager" aria-label={t('page', { page, pages })}>
      <span>{t('rowsOf', { from, to: Math.min(total, page * perPage), total })}</span>
      <span className="ui-pager-buttons">
        <Button
          size="small"
          icon="back"
          aria-label={t('previous')}
          isDisabled={page <= 1}
          onPress={() => onPage(page - 1)}
        />
        <span>{t('page', { page, pages })}</span>
        <Button
          size="small"
          icon="forward"
          aria-label={t('next')}
          isDisabled={page >= pages}
          onPress={() => onPage(page + 1)}
        />
      </span>
    </nav>
  );
}
