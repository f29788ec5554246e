import type { IconName } from './icon.tsx';

export type MenuEntry = {
  id: string;
  text: string;
  note?: string | undefined;
  icon?: IconName;
  look?: 'danger';
  isDisabled?: boolean;
  onAction(): void;
};
export type MenuGroup = { id: string; title?: string; entries: readonly MenuEntry[]; selected?: string | undefined };
