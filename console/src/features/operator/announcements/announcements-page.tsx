import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi, useRead, useReadAgain } from '../../../platform/index.ts';
import { Badge, Button, Card, ConfirmDialog, EmptyState, Loaded, Page, showToast } from '../../../ui/index.ts';
import { useToastRefusal } from '../parts/refusal.tsx';
import { useTenantName } from '../parts/tenants.ts';
import { AnnouncementForm } from './announcement-form.tsx';
import './announcements.css';
import type { Post } from './post.ts';
import { announcementsWords } from './words.ts';

const NAMED = 3;

export function AnnouncementsPage(): ReactNode {
  const t = useWords(announcementsWords);
  const posts = useRead('listPosts', {});
  const [open, setOpen] = useState<Post | 'new' | undefined>(undefined);
  const [removing, setRemoving] = useState<Post | undefined>(undefined);
  const create = (
    <Button look="primary" icon="plus" onPress={() => setOpen('new')}>
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('title')} note={t('note')} tools={create}>
      <Loaded of={posts} rows={6}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <EmptyState icon="info" title={t('empty')} hint={t('emptyHint')} />
            </Card>
          ) : (
            <ul className="operator-stack" aria-label={t('title')}>
              {items.map((post) => (
                <li key={post.id}>
                  <OnePost post={post} onChange={() => setOpen(post)} onRemove={() => setRemoving(post)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {open !== undefined && (
        <AnnouncementForm {...(open !== 'new' && { post: open })} onClose={() => setOpen(undefined)} />
      )}
      {removing !== undefined && <Remove post={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  );
}

function useTitle(): (post: Post) => string {
  const language = useLanguage();
  return ({ title_en, title_ar }) => (language === 'ar' ? title_ar : title_en);
}

function OnePost(props: { post: Post; onChange(): void; onRemove(): void }): ReactNode {
  const t = useWords(announcementsWords);
  const common = useWords(commonWords);
  const language = useLanguage();
  const titleOf = useTitle();
  const { date } = useFormat();
  const { post, onChange, onRemove } = props;
  const state = stateOf(post);
  const title = titleOf(post);
  const body = language === 'ar' ? post.body_ar : post.body_en;
  const from = date(post.from);
  return (
    <Card>
      <div className="announcements-post">
        <div className="announcements-text">
          <h2 className="operator-title">
            {title}
            <Badge tone={state === 'now' ? 'good' : state === 'later' ? 'info' : 'plain'}>{t(`state.${state}`)}</Badge>
          </h2>
          <p className="soft small">
            <Audience post={post} /> ·{' '}
            {post.until === null ? t('fromOn', { from }) : t('fromTo', { from, until: date(post.until) })}
          </p>
          {body !== '' && <p className="operator-cut">{body}</p>}
          <p className="soft small" lang={language === 'ar' ? 'en' : 'ar'}>
            <bdi>{language === 'ar' ? post.title_en : post.title_ar}</bdi>
          </p>
        </div>
        <div className="ui-page-tools">
          <Button size="small" aria-label={t('change', { title })} onPress={onChange}>
            {common('edit')}
          </Button>
          <Button size="small" look="quiet" icon="close" aria-label={t('removeOf', { title })} onPress={onRemove} />
        </div>
      </div>
    </Card>
  );
}

function Audience({ post: { audience } }: { post: Post }): ReactNode {
  const t = useWords(announcementsWords);
  const tenant = useTenantName();
  const { list } = useFormat();
  if (audience === 'all') return t('forAll');
  return audience.length <= NAMED ? list(audience.map((id) => tenant(id))) : t('forSome', { count: audience.length });
}

function Remove({ post, onClose }: { post: Post; onClose(): void }): ReactNode {
  const t = useWords(announcementsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const title = useTitle()(post);
  const removing = useMutation({
    mutationFn: () => api.call('removePost', { path: { id: post.id } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('removed') });
      await readAgain('listPosts', 'listOperatorAudit');
    },
    onError: useToastRefusal(),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      title={t('removeTitle')}
      isOpen
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      confirm={t('remove')}
      isBusy={removing.isPending}
      danger
    >
      <p>{t('removeText', { title })}</p>
    </ConfirmDialog>
  );
}

function stateOf({ from, until }: Post): 'now' | 'later' | 'over' {
  const now = Date.now();
  if (Date.parse(from) > now) return 'later';
  return until !== null && Date.parse(until) <= now ? 'over' : 'now';
}
