import type { ReactNode } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import './command-palette.css';
import { Icon, type IconName } from './icon.tsx';

export type Command = { id: string; text: string; note?: string | undefined; icon?: IconName; run(): void };
export type CommandGroup = { id: string; title: string; commands: readonly Command[] };

type Props = {
  label: string;
  placeholder: string;
  empty: string;
  isOpen: boolean;
  onClose(): void;
  text: string;
  onText(text: string): void;
  /** Already filtered by the text. */
  groups: readonly CommandGroup[];
};

/** A search field with its results: arrow keys choose, Enter opens. */
export function CommandPalette(props: Props): ReactNode {
  const { label, placeholder, empty, isOpen, onClose, text, onText, groups } = props;
  return (
    <ModalOverlay
      className="ui-overlay"
      data-place="top"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="ui-dialog" data-size="wide">
        <Dialog aria-label={label} className="ui-palette">
          <Autocomplete inputValue={text} onInputChange={onText}>
            <SearchField aria-label={label} autoFocus className="ui-palette-field">
              <Icon name="search" />
              <Input placeholder={placeholder} />
            </SearchField>
            <Menu
              className="ui-list ui-palette-list"
              aria-label={label}
              items={groups}
              renderEmptyState={() => <p className="ui-state">{empty}</p>}
            >
              {({ id, title, commands }) => (
                <MenuSection id={id} aria-label={title}>
                  <Header className="ui-section-title">{title}</Header>
                  {commands.map((command) => (
                    <MenuItem
                      key={command.id}
                      id={command.id}
                      textValue={command.text}
                      className="ui-item"
                      onAction={() => {
                        onClose();
                        command.run();
                      }}
                    >
                      {command.icon !== undefined && <Icon name={command.icon} />}
                      <span>{command.text}</span>
                      {command.note !== undefined && <span className="ui-palette-note">{command.note}</span>}
                    </MenuItem>
                  ))}
                </MenuSection>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
