import type { FormEvent, ReactNode } from 'react';
import { useExplainError } from '../../../platform/index.ts';
import { Button, Notice } from '../../../ui/index.ts';
import { LeaveGuard, RestoredNotice } from '../../../ui/leave-guard.tsx';
import '../orders.css';
import './editor.css';

const FORM = 'order-editor';

/** The form of an order in two columns, with its draft and the refusal of the last attempt. */
export function EditorForm(props: {
  draft: { isRestored: boolean; isDirty: boolean; clear(): void };
  error: unknown;
  /** It has been saved, and the page is about to be left. */
  isSaved: boolean;
  onSubmit(): void;
  notice?: ReactNode;
  /** The first column: branch, lines, amounts. */
  goods: ReactNode;
  /** The second column: customer and delivery. */
  people: ReactNode;
}): ReactNode {
  const explain = useExplainError();
  const { draft, error, isSaved, onSubmit, notice, goods, people } = props;
  const refused = error === null ? undefined : explain(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <>
      <form id={FORM} onSubmit={submit} noValidate className="order-column">
        <RestoredNotice isShown={draft.isRestored} />
        {refused !== undefined && (
          <Notice tone="bad">
            {refused.title} {refused.hint}
          </Notice>
        )}
        {notice}
        <div className="order-columns">
          <div className="order-column">{goods}</div>
          <div className="order-column">{people}</div>
        </div>
      </form>
      <LeaveGuard isDirty={draft.isDirty && !isSaved} onDiscard={() => draft.clear()} />
    </>
  );
}

/** The button in the head of the page, outside the form. */
export function EditorSubmit(props: { isPending: boolean; isDisabled?: boolean; children: ReactNode }): ReactNode {
  return <Button type="submit" form={FORM} look="primary" {...props} />;
}
