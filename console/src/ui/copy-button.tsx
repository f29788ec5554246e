import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';

const SAID_MS = 2_000;

/** Copies a text and confirms on the button. `label` names what is copied where there are several. */
export function CopyButton(props: {
  text: string;
  label?: string;
  look?: 'plain' | 'quiet';
  size?: 'small';
}): ReactNode {
  const t = useWords(commonWords);
  const { text, label, look = 'plain', size } = props;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      look={look}
      {...(size && { size })}
      icon={isCopied ? 'check' : 'copy'}
      aria-label={label === undefined ? t('copy') : `${t('copy')}: ${label}`}
      onPress={() => void copyText(text).then(setCopied)}
    >
      <span aria-live="polite">{isCopied ? t('copied') : t('copy')}</span>
    </Button>
  );
}

/** Insecure pages have no clipboard API; `execCommand` still works there. */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) {
    return clipboard.writeText(text).then(
      () => true,
      () => copyBySelection(text),
    );
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const holder = document.createElement('textarea');
  holder.value = text;
  holder.className = 'visually-hidden';
  // Inside an open dialog, because focus is trapped in it.
  const place = document.querySelector('[role="dialog"]') ?? document.body;
  place.append(holder);
  holder.select();
  const isCopied = document.execCommand('copy');
  holder.remove();
  return isCopied;
}
