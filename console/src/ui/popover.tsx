import { type ReactNode, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import { Icon, type IconName } from './icon.tsx';

/** A button with a popover for content that does not fit a menu. `children` receives a function that closes it. */
export function PopoverButton(props: {
  label: string;
  icon: IconName;
  /** Beside the icon. */
  note?: ReactNode;
  children: (close: () => void) => ReactNode;
}): ReactNode {
  const place = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <AriaButton
        ref={place}
        className="ui-button"
        data-look="quiet"
        data-icon-only={props.note === undefined || undefined}
        aria-label={props.label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Icon name={props.icon} />
        {props.note}
      </AriaButton>
      <AriaPopover
        className="ui-popover"
        offset={4}
        placement="bottom end"
        triggerRef={place}
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        <Dialog aria-label={props.label}>{props.children(() => setOpen(false))}</Dialog>
      </AriaPopover>
    </>
  );
}
