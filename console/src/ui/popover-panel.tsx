import type { ReactNode, RefObject } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';

/** Loaded with the first hover, focus or press of its button. */
export default function PopoverPanel(props: {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  children: ReactNode;
}): ReactNode {
  const { label, button, isOpen, onOpenChange, children } = props;
  return (
    <Popover
      className="ui-popover"
      offset={4}
      placement="bottom end"
      triggerRef={button}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <Dialog aria-label={label}>{children}</Dialog>
    </Popover>
  );
}
