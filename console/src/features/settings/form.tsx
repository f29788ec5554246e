import type { FormEvent, ReactNode } from 'react';

/** A form that the page submits, not the browser. `id` lets a button outside submit it. */
export function Form({ id, onSend, children }: { id?: string; onSend(): void; children: ReactNode }): ReactNode {
  return (
    <form
      id={id}
      className="settings-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
    </form>
  );
}
