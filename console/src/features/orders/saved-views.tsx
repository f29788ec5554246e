import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Menu, type MenuGroup, showToast } from '../../ui/index.ts';
import type { OrdersSearch } from './order-search.ts';
import { isSameView, useSavedViews } from './use-saved-views.ts';
import { useViewCounts } from './use-view-counts.ts';
import { ordersWords } from './words.ts';

const NameView = lazy(() => import('./name-view.tsx'));

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
        <Suspense>
          <NameView
            onClose={() => setNaming(false)}
            onName={(name) => {
              const { page: _, ...kept } = search;
              save({ name, search: kept });
              setNaming(false);
              showToast({ tone: 'good', text: t('viewSaved', { name }) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
