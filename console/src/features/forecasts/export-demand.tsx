import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError } from '../../platform/index.ts';
import { saveFile } from '../../platform/save-file.ts';
import { Button, showToast } from '../../ui/index.ts';
import { forecastsWords } from './words.ts';

const PATIENCE_MS = 300_000;

export function ExportDemand(): ReactNode {
  const t = useWords(forecastsWords);
  const api = useApi();
  const explain = useExplainError();
  const { isoDate } = useFormat();
  const fetchAll = useMutation({
    mutationFn: () => api.call('exportDemand', { timeoutMs: PATIENCE_MS }),
    onSuccess: (csv) => saveFile(`demand-${isoDate(Date.now())}.csv`, csv),
    onError: (error) => {
      const { title, hint } = explain(error);
      showToast({ tone: 'bad', text: title, detail: hint });
    },
  });
  return (
    <Button icon="export" isPending={fetchAll.isPending} onPress={() => fetchAll.mutate()}>
      {t('export')}
    </Button>
  );
}
