import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.tsx';
import type { MenuGroup } from './menu-group.ts';

const load = () => import('./menu-list.tsx');
const MenuList = lazy(load);

type MenuButton = {
  /** Needed where it has no text. */
  'aria-label'?: string;
  icon?: IconName;
  look?: 'plain' | 'quiet';
  size?: 'small';
  isDisabled?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A button that opens a menu. A group with `selected` marks the current entry. */
export function Menu(props: {
  label: string;
  button: MenuButton;
  groups: readonly MenuGroup[];
  onOpenChange?: (isOpen: boolean) => void;
}): ReactNode {
  const { icon, look = 'plain', size, className = 'ui-button', children, ...button } = props.button;
  const place = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never');
  const set = (next: 'open' | 'closed') => {
    setState(next);
    props.onOpenChange?.(next === 'open');
  };
  return (
    <>
      <AriaButton
        {...button}
        ref={place}
        className={className}
        data-look={look}
        data-size={size}
        data-icon-only={children === undefined || undefined}
        aria-haspopup="menu"
        aria-expanded={state === 'open'}
        onHoverStart={() => void load()}
        onFocus={() => void load()}
        onPress={() => set('open')}
      >
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </AriaButton>
      {state !== 'never' && (
        <Suspense>
          <MenuList
            label={props.label}
            groups={props.groups}
            button={place}
            isOpen={state === 'open'}
            onClose={() => set('closed')}
          />
        </Suspense>
      )}
    </>
  );
}
