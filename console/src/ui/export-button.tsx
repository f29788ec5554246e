import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { defineWords, useFormat, useWords } from '../i18n/index.ts';
import { useExplainError } from '../platform/index.ts';
import { saveFile } from '../platform/save-file.ts';
import { Button, showToast } from './index.ts';

const words = defineWords(
  { export: 'Export CSV', exporting: 'Exporting…', limit: 'The file holds the first {count} rows' },
  { export: 'تصدير CSV', exporting: 'جارٍ التصدير…', limit: 'يحتوي الملف على أول {count} صف' },
);
const MAX_ROWS = 5000;

/** Exports all pages of a filtered list. `total` is the number of rows of the list. */
export function ExportButton(props: { name: string; total: number | undefined; load(): Promise<string> }): ReactNode {
  const { name, total = 0, load } = props;
  const t = useWords(words);
  const explain = useExplainError();
  const { isoDate } = useFormat();
  const all = useMutation({
    mutationFn: load,
    onSuccess: (csv) => {
      saveFile(`${name}-${isoDate(Date.now())}.csv`, csv);
      if (total > MAX_ROWS) showToast({ tone: 'info', text: t('limit', { count: MAX_ROWS }) });
    },
    onError: (error) => {
      const { title, hint } = explain(error);
      showToast({ tone: 'bad', text: title, detail: hint });
    },
  });
  return (
    <Button icon="export" isPending={all.isPending} onPress={() => all.mutate()}>
      {all.isPending ? t('exporting') : t('export')}
    </Button>
  );
}
