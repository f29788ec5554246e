import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Button, Dialog, Notice } from '../../ui/index.ts';
import { VerifySamples } from './verify-samples.tsx';
import { webhooksWords } from './words.ts';

/** Shows a secret once, with code samples that verify it. */
export function SecretDialog(props: { title: string; secret: string; note?: string; onClose(): void }): ReactNode {
  const t = useWords(webhooksWords);
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      size="wide"
      foot={
        <Button look="primary" onPress={props.onClose}>
          {t('secretKept')}
        </Button>
      }
    >
      <Notice tone="warn">{props.note ?? t('secretOnce')}</Notice>
      <CopyField label={t('secret')} value={props.secret} />
      <section className="webhooks-verify">
        <h3>{t('verify')}</h3>
        <p className="soft small">{t('verifyHint')}</p>
        <VerifySamples />
      </section>
    </Dialog>
  );
}
