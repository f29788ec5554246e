import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, Card, Loaded, showToast } from '../../../ui/index.ts';
import { adding, changeTags, MAX_TAGS, removing } from './change-tags.ts';
import { TagForm } from './tag-form.tsx';
import './tags.css';
import { tagsWords } from './words.ts';

export function OrderTags({ orderId }: { orderId: string }): ReactNode {
  const t = useWords(tagsWords);
  const tags = useRead('getOrderTags', { path: { id: orderId } });
  return (
    <Card title={t('tags')}>
      <Loaded of={tags} rows={1}>
        {(answer) => <Tags orderId={orderId} tags={answer.tags} />}
      </Loaded>
    </Card>
  );
}

function Tags({ orderId, tags }: { orderId: string; tags: readonly string[] }): ReactNode {
  const t = useWords(tagsWords);
  const may = useMay();
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const change = useMutation({
    mutationFn: (how: (tags: string[]) => string[]) => changeTags(api, orderId, how),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
    onSettled: () => readAgain('getOrderTags', 'listOrderTags', 'listOrders'),
  });
  const mayChange = may('update:Orders');
  function remove(tag: string): void {
    change.mutate(removing(tag), {
      onSuccess: () =>
        showToast({
          tone: 'info',
          text: t('removed', { tag }),
          action: { text: t('undo'), run: () => change.mutate(adding(tag)) },
        }),
    });
  }
  return (
    <div className="order-tags">
      {tags.length === 0 ? (
        <p className="soft">{t('none')}</p>
      ) : (
        <ul className="order-tags-list">
          {tags.map((tag) => (
            <li key={tag} className="order-tag">
              <bdi>{tag}</bdi>
              {mayChange && (
                <Button
                  look="quiet"
                  size="small"
                  icon="close"
                  aria-label={t('remove', { tag })}
                  onPress={() => remove(tag)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && tags.length < MAX_TAGS && (
        <TagForm
          used={tags}
          isBusy={change.isPending}
          onAdd={(tag) => change.mutateAsync(adding(tag)).then(() => {})}
        />
      )}
    </div>
  );
}
