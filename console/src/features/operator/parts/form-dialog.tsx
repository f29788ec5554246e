import { type FormEvent, type ReactNode, useId } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { Button, Dialog } from '../../../ui/index.ts';
import { RestoredNotice } from '../../../ui/leave-guard.tsx';
import { Refusal } from './refusal.tsx';

/** A form in a dialog: Enter submits it, an error is shown above the fields. */
export function FormDialog(props: {
  title: string;
  onClose(): void;
  onSend(): void;
  send: string;
  isBusy: boolean;
  error?: unknown;
  danger?: boolean;
  size?: 'wide';
  place?: 'middle' | 'side';
  /** At the start of its foot, such as a button that removes. */
  beside?: ReactNode;
  /** It continues an earlier, unfinished form. */
  isRestored?: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  const id = useId();
  const {
    title,
    onClose,
    onSend,
    send,
    isBusy,
    error,
    danger,
    size,
    place,
    beside,
    isRestored = false,
    children,
  } = props;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isFilled={isRestored}
      {...(size && { size })}
      {...(place && { place })}
      foot={
        <>
          {beside !== undefined && <span className="operator-beside">{beside}</span>}
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={id} look={danger === true ? 'danger' : 'primary'} isPending={isBusy}>
            {send}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="operator-form"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!isBusy) onSend();
        }}
      >
        <RestoredNotice isShown={isRestored} />
        <Refusal error={error} />
        {children}
      </form>
    </Dialog>
  );
}
