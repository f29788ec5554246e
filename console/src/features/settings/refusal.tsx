import { DukkanError } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useExplainError } from '../../platform/index.ts';
import { Notice } from '../../ui/index.ts';

/** Why something was refused. `words` overrides the service's message for the reasons it names. */
export function Refusal({ error, words = {} }: { error: unknown; words?: Partial<Record<string, string>> }): ReactNode {
  const explain = useExplainError();
  if (error === null || error === undefined) return null;
  const known = error instanceof DukkanError ? words[error.reason] : undefined;
  const { title, hint } = explain(error);
  return (
    <Notice tone="bad">
      {known ?? (
        <>
          <strong>{title}</strong>
          {hint !== undefined && <div>{hint}</div>}
        </>
      )}
    </Notice>
  );
}
