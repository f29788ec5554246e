import type { QueryOf } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError } from '../../platform/index.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button, showToast } from '../../ui/index.ts';
import { ordersWords } from './words.ts';

/** A year of orders is some hundred megabytes, which the service streams. */
const PATIENCE_MS = 600_000;

/** Exports all pages of the filtered list. */
export function ExportOrders({ query }: { query: QueryOf<'exportOrders'> }): ReactNode {
  const t = useWords(ordersWords);
  const api = useApi();
  const explain = useExplainError();
  const { isoDate } = useFormat();
  const all = useMutation({
    mutationFn: () => api.call('exportOrders', { query, timeoutMs: PATIENCE_MS }),
    onSuccess: (csv) => saveFile(`orders-${isoDate(Date.now())}.csv`, csv),
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
