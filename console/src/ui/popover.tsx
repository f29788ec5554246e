import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.tsx';

const load = () => import('./popover-panel.tsx');
const PopoverPanel = lazy(load);

/** A button with a popover for content that does not fit a menu. `children` receives a function that closes it. */
export function PopoverButton(props: {
  label: string;
  icon: IconName;
  /** Beside the icon. */
  note?: ReactNode;
  children: (close: () => void) => ReactNode;
}): ReactNode {
  const place = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  const setOpen = (isOpen: boolean) => setState(isOpen ? 'open' : 'closed');
  return (
    <>
      <AriaButton
        ref={place}
        className="ui-button"
        data-look="quiet"
        data-icon-only={props.note === undefined || undefined}
        aria-label={props.label}
        aria-haspopup="dialog"
        aria-expanded={state === 'open'}
        onHoverStart={() => void load()}
        onFocus={() => void load()}
        onPress={() => setOpen(true)}
      >
        <Icon name={props.icon} />
        {props.note}
      </AriaButton>
      {state !== 'never' && (
        <Suspense>
          <PopoverPanel label={props.label} button={place} isOpen={state === 'open'} onOpenChange={setOpen}>
            {props.children(() => setOpen(false))}
          </PopoverPanel>
        </Suspense>
      )}
    </>
  );
}
