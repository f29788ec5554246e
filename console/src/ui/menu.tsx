import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon, type IconName } from './icon.tsx';

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

/** `trigger` is a Button. A group with `selected` shows which of its entries is the one now. */
export function Menu({ trigger, label, groups }: { trigger: ReactNode; label: string; groups: readonly MenuGroup[] }) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="ui-popover" offset={4}>
        <AriaMenu aria-label={label} className="ui-list">
          {groups.map(({ id, title, entries, selected }) => (
            <MenuSection
              key={id}
              aria-label={title ?? label}
              {...(selected === undefined ? {} : { selectionMode: 'single' as const, selectedKeys: [selected] })}
            >
              {title !== undefined && <Header className="ui-section-title">{title}</Header>}
              {entries.map((entry) => (
                <MenuItem
                  key={entry.id}
                  id={entry.id}
                  textValue={entry.text}
                  className="ui-item"
                  data-look={entry.look}
                  isDisabled={entry.isDisabled === true}
                  onAction={entry.onAction}
                >
                  {entry.icon !== undefined && <Icon name={entry.icon} />}
                  <span className="ui-item-text">
                    <span>{entry.text}</span>
                    {entry.note !== undefined && <span className="soft small">{entry.note}</span>}
                  </span>
                  {selected !== undefined && (
                    <span className="ui-item-check">
                      <Icon name="check" />
                    </span>
                  )}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
