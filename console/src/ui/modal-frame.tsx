import type { FormEventHandler, ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { commonWords, useWords } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { holdSize } from './hold-size.ts';

export type ModalFrameProps = {
  /** Data in it, such as a name, stands in `bdi`. */
  title: ReactNode;
  isOpen: boolean;
  /** Escape, the close button or, where `isDismissable`, a click beside it. */
  onClose(): void;
  isDismissable?: boolean;
  onInput?: FormEventHandler;
  children: ReactNode;
  /** Buttons at its foot. */
  foot?: ReactNode;
  place?: 'middle' | 'side';
  size?: 'wide' | undefined;
  /** Another dialog on top of it. */
  above?: ReactNode;
};

/** The look of a dialog. */
export function ModalFrame(props: ModalFrameProps): ReactNode {
  const t = useWords(commonWords);
  const { title, isOpen, onClose, isDismissable = true, onInput, foot, place = 'middle' } = props;
  return (
    <ModalOverlay
      className="ui-overlay"
      data-place={place}
      isOpen={isOpen}
      isDismissable={isDismissable}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="ui-dialog" data-size={props.size}>
        <AriaDialog>
          <div className="ui-dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" size="small" icon="close" aria-label={t('close')} onPress={onClose} />
          </div>
          <div className="ui-dialog-body" onInput={onInput} onChange={onInput}>
            {props.children}
          </div>
          {foot !== undefined && (
            <div className="ui-dialog-foot" onPointerDownCapture={holdSize}>
              {foot}
            </div>
          )}
        </AriaDialog>
        {props.above}
      </Modal>
    </ModalOverlay>
  );
}
