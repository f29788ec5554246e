import { type ReactNode, useEffect } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { whenScopeEnds } from '../platform/index.ts';
import { Button } from './button.tsx';

type Tone = 'good' | 'bad' | 'info';
type Toast = {
  id: number;
  tone: Tone;
  text: string;
  detail?: string | undefined;
  action?: { text: string; run(): void };
};

const STAYS_MS = 7_000;
const AT_MOST = 4;
let shown: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of [...listeners]) listener();
}

// They name customers, views and addresses of the user who was signed in.
whenScopeEnds(() => change([]));

/** Shows a toast. Errors stay until they are closed, others for seven seconds. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = next;
  next += 1;
  change([...shown, { ...toast, id }].slice(-AT_MOST));
}

export const toasts = {
  get: () => shown,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

export function Toasts({ toasts: current }: { toasts: readonly Toast[] }): ReactNode {
  return (
    <div className="ui-toasts" role="status" aria-live="polite">
      {current.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function OneToast({ toast }: { toast: Toast }): ReactNode {
  const t = useWords(commonWords);
  const { id, tone, text, detail, action } = toast;
  const close = () => change(shown.filter((other) => other.id !== id));
  useEffect(() => {
    if (tone === 'bad') return;
    const timer = setTimeout(() => change(shown.filter((other) => other.id !== id)), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <div className="ui-toast" data-tone={tone}>
      <div>
        <div className="strong">{text}</div>
        {detail !== undefined && <div className="soft small">{detail}</div>}
        {action !== undefined && (
          <Button
            look="quiet"
            size="small"
            onPress={() => {
              action.run();
              close();
            }}
          >
            {action.text}
          </Button>
        )}
      </div>
      <Button look="quiet" size="small" icon="close" aria-label={t('dismiss')} onPress={close} />
    </div>
  );
}
