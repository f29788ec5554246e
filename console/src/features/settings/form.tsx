import type { FormEvent, ReactNode } from 'react';

/** A form that the page sends, not the browser. `id` lets a button outside of it send it. */
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
