import { type ReactNode, useEffect, useRef, useState } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import './copy-text.css';

const SAYS_SO_MS = 2_000;

/** Something to be taken elsewhere whole: a key, a link, an id. Its button copies it and says so. */
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

/** `label` says what is copied, for who cannot see what stands beside it. */
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
      // Pages that are not secure have no clipboard: what is marked can be copied by the keyboard.
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
