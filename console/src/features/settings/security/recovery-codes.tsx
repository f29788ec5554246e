import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { CopyButton } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Notice } from '../../../ui/index.ts';
import { securityWords } from './words.ts';

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
          <Button size="small" icon="export" onPress={() => download(`${t('fileHead', { email })}\n\n${all}\n`)}>
            {t('download')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'dukkan-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
