import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { saveFile, useApi, useReadAgain } from '../../../platform/index.ts';
import { FileField } from '../../../ui/file-field.tsx';
import { Button, showToast } from '../../../ui/index.ts';
import './money.css';
import { FILES_TAKEN } from '../parts/files.ts';
import { useToastRefusal } from '../parts/refusal.tsx';
import type { Service } from './rows.ts';
import { moneyWords } from './words.ts';

/** Files are saved at once, independently of the form around them. */
export function ServiceFiles({ service }: { service: Service }): ReactNode {
  const t = useWords(moneyWords);
  const { date } = useFormat();
  const api = useApi();
  const readAgain = useReadAgain();
  const refuse = useToastRefusal();
  const after = async (text: string) => {
    showToast({ tone: 'good', text });
    await readAgain('listBillableServices', 'listOperatorAudit');
  };
  const adding = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.set('file', file);
      return api.call('addServiceAsset', { path: { id: service.id }, body });
    },
    onSuccess: ({ name }) => after(t('fileAdded', { name })),
    onError: refuse,
  });
  const removing = useMutation({
    mutationFn: (assetId: string) => api.call('removeServiceAsset', { path: { id: service.id, assetId } }),
    onSuccess: ({ name }) => after(t('fileRemoved', { name })),
    onError: refuse,
  });
  const fetching = useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) =>
      saveFile(name, await api.call('getServiceAsset', { path: { id: service.id, assetId: id } })),
    onError: refuse,
  });
  return (
    <div className="operator-list">
      <h3>{t('files')}</h3>
      {service.assets.length === 0 && <p className="soft">{t('noFiles')}</p>}
      <ul className="operator-list" aria-label={t('files')}>
        {service.assets.map((asset) => (
          <li key={asset.id} className="money-file">
            <span className="clip">
              <bdi>{asset.name}</bdi> <span className="soft small">{date(asset.created)}</span>
            </span>
            <Button
              look="quiet"
              size="small"
              icon="export"
              aria-label={t('download', { name: asset.name })}
              isPending={fetching.isPending}
              onPress={() => fetching.mutate(asset)}
            />
            <Button
              look="quiet"
              size="small"
              icon="close"
              aria-label={t('removeFile', { name: asset.name })}
              isPending={removing.isPending}
              onPress={() => removing.mutate(asset.id)}
            />
          </li>
        ))}
      </ul>
      <FileField
        label={t('addFile')}
        hint={t('addFileHint')}
        accept={FILES_TAKEN}
        choose={t('choose')}
        file={adding.isPending ? adding.variables : undefined}
        onChange={(file) => file !== undefined && adding.mutate(file)}
      />
    </div>
  );
}
