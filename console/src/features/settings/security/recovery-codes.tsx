import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { CopyButton } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Notice } from '../../../ui/index.ts';
import { securityWords } from './words.ts';

const FILE_NAME = 'dukkan-recovery-codes.txt';

export function RecoveryCodes(props: { codes: readonly string[]; email: string; onClose(): void }): ReactNode {
  const t = useWords(securityWords);
  const { codes, email, onClose } = props;
  const all = codes.join('\n');
  return (
    <Dialog
      title={t('codesTitle')}
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" onPress={onClose}>
          {t('kept')}
        </Button>
      }
    >
      <div className="settings-stack">
        <Notice tone="warn">{t('codesHint')}</Notice>
        <ul className="settings-codes ltr" aria-label={t('codesTitle')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="settings-buttons">
          <CopyButton text={all} label={t('copyAll')} />
          <Button
            size="small"
            icon="export"
            onPress={() => saveFile(FILE_NAME, `${t('fileHead', { email })}\n\n${all}\n`, 'text/plain;charset=utf-8')}
          >
            {t('download')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
