import type { ReactNode } from 'react';
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

export function Dialog({ title, isOpen, onClose, children, foot, place = 'middle', size }: Props): ReactNode {
  const t = useWords(commonWords);
  return (
    <ModalOverlay
      className="ui-overlay"
      data-place={place}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="ui-dialog" data-size={size}>
        <AriaDialog>
          <div className="ui-dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" size="small" icon="close" aria-label={t('close')} onPress={onClose} />
          </div>
          <div className="ui-dialog-body">{children}</div>
          {foot !== undefined && <div className="ui-dialog-foot">{foot}</div>}
        </AriaDialog>
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
          <Button onPress={props.onClose}>{t('cancel')}</Button>
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
