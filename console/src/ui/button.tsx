import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from './icon.tsx';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';
type Props = Omit<ButtonProps, 'className' | 'style' | 'children'> & {
  look?: Look;
  size?: 'small';
  icon?: IconName;
  children?: ReactNode;
};

/** Without children it shows only its icon, and needs an `aria-label`. */
export function Button({ look = 'plain', size, icon, children, ...props }: Props): ReactNode {
  return (
    <AriaButton
      {...props}
      className="ui-button"
      data-look={look}
      data-size={size}
      data-icon-only={children === undefined || undefined}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
