import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';

type Props = {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** Buttons at its foot. */
  foot?: ReactNode;
  place?: 'middle' | 'side';
  size?: 'wide';
};

const DiscardDialog = lazy(() => import('./discard-dialog.tsx'));

/** A form in it that has been filled in is not closed by a click beside it; Escape and the close button ask first. */
export function Dialog({ title, isOpen, onClose, children, foot, place = 'middle', size }: Props): ReactNode {
  const t = useWords(commonWords);
  const [isDirty, setDirty] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    if (isDirty) return setAsking(true);
    onClose();
  };
  const noteInput = ({ target }: FormEvent) => {
    if (target instanceof HTMLElement && target.closest('form') !== null) setDirty(true);
  };
  return (
    <ModalOverlay
      className="ui-overlay"
      data-place={place}
      isOpen={isOpen}
      isDismissable={!isDirty}
      onOpenChange={(open) => !open && close()}
    >
      <Modal className="ui-dialog" data-size={size}>
        <AriaDialog>
          <div className="ui-dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" size="small" icon="close" aria-label={t('close')} onPress={close} />
          </div>
          <div className="ui-dialog-body" onInput={noteInput} onChange={noteInput}>
            {children}
          </div>
          {foot !== undefined && <div className="ui-dialog-foot">{foot}</div>}
        </AriaDialog>
        {isAsking && (
          <Suspense>
            <DiscardDialog onStay={() => setAsking(false)} onDiscard={onClose} />
          </Suspense>
        )}
      </Modal>
    </ModalOverlay>
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
