import type { ReactNode } from 'react';
import './code-block.css';
import { CopyButton } from './copy-button.tsx';

/** Code, left to right in both languages, with a copy button. */
export function CodeBlock({ label, text, tall }: { label: string; text: string; tall?: boolean }): ReactNode {
  return (
    <div className="ui-code">
      <div className="ui-code-copy">
        <CopyButton text={text} label={label} size="small" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section className="ui-code-text" data-tall={tall || undefined} tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </div>
  );
}
