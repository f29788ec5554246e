import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { ModalFrame, type ModalFrameProps } from './modal-frame.tsx';

type Props = Omit<ModalFrameProps, 'isDismissable' | 'onInput' | 'above'> & {
  /** Its form differs from what it was opened with, where no input event says so: a draft, a pin that was moved. */
  isFilled?: boolean;
};

const DiscardDialog = lazy(() => import('./discard-dialog.tsx'));

/** A form in it that has been filled in is not closed by a click beside it; Escape and the close button ask first. */
export function Dialog({ onClose, isFilled = false, ...props }: Props): ReactNode {
  const [hasInput, setHasInput] = useState(false);
  const isDirty = hasInput || isFilled;
  const [isAsking, setAsking] = useState(false);
  const noteInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLElement && target.closest('form') !== null) setHasInput(true);
  };
  return (
    <ModalFrame
      {...props}
      onClose={() => (isDirty ? setAsking(true) : onClose())}
      isDismissable={!isDirty}
      onInput={noteInput}
      above={
        isAsking && (
          <Suspense>
            <DiscardDialog onStay={() => setAsking(false)} onDiscard={onClose} />
          </Suspense>
        )
      }
    />
  );
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: {
  title: string;
  isOpen: boolean;
  onClose(): void;
  onConfirm(): void;
  confirm: string;
  isBusy?: boolean;
  danger?: boolean;
  /** The way out: "Cancel" unless the action itself is a cancellation. */
  keep?: string;
  children: ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      foot={
        <>
          <Button onPress={props.onClose}>{props.keep ?? t('cancel')}</Button>
          <Button
            look={props.danger === true ? 'danger' : 'primary'}
            isPending={props.isBusy === true}
            onPress={props.onConfirm}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
