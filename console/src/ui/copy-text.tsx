import { type ReactNode, useEffect, useRef, useState } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import './copy-text.css';

const SAYS_SO_MS = 2_000;

/** A value to copy: a key, a link, an id. Its button copies it and confirms. */
export function CopyText(props: { label: string; text: string; hideLabel?: boolean }): ReactNode {
  const { label, text, hideLabel } = props;
  const place = useRef<HTMLElement>(null);
  return (
    <div className="ui-copy">
      {hideLabel !== true && <span className="ui-label">{label}</span>}
      <div className="ui-copy-row">
        <code ref={place} className="ltr">
          {text}
        </code>
        <CopyButton text={text} label={label} onRefused={() => selectAll(place.current)} />
      </div>
    </div>
  );
}

/** `label` names what is copied, for screen readers. */
export function CopyButton(props: { text: string; label: string; onRefused?: () => void }): ReactNode {
  const t = useWords(commonWords);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAYS_SO_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(props.text);
      setCopied(true);
    } catch {
      // Insecure pages have no clipboard: the selected text can be copied by keyboard.
      props.onRefused?.();
    }
  }
  return (
    <Button
      size="small"
      icon={isCopied ? 'check' : 'copy'}
      aria-label={`${isCopied ? t('copied') : t('copy')}: ${props.label}`}
      onPress={() => void copy()}
    >
      {isCopied ? t('copied') : t('copy')}
    </Button>
  );
}

function selectAll(element: HTMLElement | null): void {
  if (element !== null) window.getSelection()?.selectAllChildren(element);
}
