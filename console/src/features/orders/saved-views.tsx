import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button, Dialog, Field, Menu, type MenuGroup, showToast } from '../../ui/index.ts';
import type { OrdersSearch } from './order-search.ts';
import { isSameView, useSavedViews } from './use-saved-views.ts';
import { useViewCounts } from './use-view-counts.ts';
import { ordersWords } from './words.ts';

const NAME_CHARACTERS = 60;

/** Saved filters, by name. The button shows which one is active. */
export function SavedViews(props: { search: OrdersSearch; onOpen(search: OrdersSearch): void }): ReactNode {
  const t = useWords(ordersWords);
  const { search, onOpen } = props;
  const { views, save, remove, restore } = useSavedViews();
  const [isNaming, setNaming] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const counts = useViewCounts(views, isOpen);
  const countText = (name: string) => {
    const count = counts.get(name);
    return count === undefined ? undefined : t('count', { count });
  };
  const current = views.find((view) => isSameView(view.search, search));
  const isPlain = Object.keys(search).every((name) => name === 'page');
  const groups: MenuGroup[] = [
    {
      id: 'views',
      title: t('savedViews'),
      entries: views.map((view) => ({
        id: view.name,
        text: view.name,
        note: countText(view.name),
        onAction: () => onOpen(view.search),
      })),
      selected: current?.name,
    },
    {
      id: 'acts',
      entries: [
        {
          id: ' save',
          text: t('saveView'),
          icon: 'plus' as const,
          isDisabled: isPlain || current !== undefined,
          onAction: () => setNaming(true),
        },
        ...(current === undefined
          ? []
          : [
              {
                id: ' delete',
                text: t('deleteView', { name: current.name }),
                look: 'danger' as const,
                onAction: () => {
                  remove(current.name);
                  showToast({
                    tone: 'info',
                    text: t('viewDeleted', { name: current.name }),
                    action: { text: t('undo'), run: restore },
                  });
                },
              },
            ]),
      ],
    },
  ];
  return (
    <>
      <Menu
        label={t('views')}
        button={{ children: current?.name ?? t('views') }}
        groups={groups.filter(({ entries }) => entries.length > 0)}
        onOpenChange={setOpen}
      />
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            const { page: _, ...kept } = search;
            save({ name, search: kept });
            setNaming(false);
            showToast({ tone: 'good', text: t('viewSaved', { name }) });
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onName }: { onClose(): void; onName(name: string): void }): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const [name, setName] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  }
  return (
    <Dialog title={t('saveViewTitle')} isOpen onClose={onClose}>
      <form className="orders-bulk" onSubmit={submit}>
        <p className="soft">{t('saveViewText')}</p>
        <Field label={t('viewName')} value={name} onChange={setName} maxLength={NAME_CHARACTERS} autoFocus />
        <div className="orders-form-foot">
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button look="primary" type="submit" isDisabled={name.trim() === ''}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
