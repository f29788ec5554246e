import type { ReactNode, RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from './icon.tsx';
import type { MenuGroup } from './menu-group.ts';

/** What a menu button opens. Its script is loaded on hover or focus: 40 kB that no first page needs. */
export default function MenuList(props: {
  label: string;
  groups: readonly MenuGroup[];
  button: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onClose(): void;
}): ReactNode {
  const { label, groups, button, isOpen, onClose } = props;
  return (
    <Popover
      className="ui-popover"
      offset={4}
      placement="bottom start"
      triggerRef={button}
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
    >
      <AriaMenu aria-label={label} className="ui-list" autoFocus="first" onClose={onClose}>
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
  );
}
