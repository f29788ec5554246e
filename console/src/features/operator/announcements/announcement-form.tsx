import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useLanguage, useWords } from '../../../i18n/index.ts';
import {
  changedFields,
  fieldErrors,
  ifMatch,
  saveFields,
  useApi,
  useDraft,
  useReadAgain,
} from '../../../platform/index.ts';
import { useConflictChoice } from '../../../ui/conflict/index.ts';
import { DayField } from '../../../ui/day-field.tsx';
import { Field, Segments, showToast } from '../../../ui/index.ts';
import { dayAt, endOf, startOf } from '../parts/days.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useKeyFor } from '../parts/key-for.ts';
import { AudienceChoice } from './audience-choice.tsx';
import type { Post } from './post.ts';
import { announcementsWords } from './words.ts';

const TEXTS = ['title_en', 'title_ar', 'body_en', 'body_ar'] as const;
type Text = (typeof TEXTS)[number];
/** The names of fields that two people may have changed. */
const LABELS = {
  title_en: 'titleEn',
  title_ar: 'titleAr',
  body_en: 'bodyEn',
  body_ar: 'bodyAr',
  from: 'from',
  until: 'until',
  audience: 'audience',
} as const;

/** Both languages side by side. Days are in Riyadh; an unchanged time keeps its seconds. */
export function AnnouncementForm({ post, onClose }: { post?: Post; onClose(): void }): ReactNode {
  const t = useWords(announcementsWords);
  const common = useWords(commonWords);
  const language = useLanguage();
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const before = {
    from: post === undefined ? '' : dayAt(post.from),
    until: post?.until == null ? '' : dayAt(post.until),
  };
  const draft = useDraft(`post.${post?.id ?? 'new'}`, {
    texts: {
      title_en: post?.title_en ?? '',
      title_ar: post?.title_ar ?? '',
      body_en: post?.body_en ?? '',
      body_ar: post?.body_ar ?? '',
    },
    ...before,
    isForAll: post === undefined || post.audience === 'all',
    chosen: post === undefined || post.audience === 'all' ? [] : post.audience,
  });
  const { texts, from, until, isForAll, chosen } = draft.values;
  const set = (change: Partial<typeof draft.values>) => draft.setValues((values) => ({ ...values, ...change }));
  const { choose, dialog } = useConflictChoice((field) =>
    field in LABELS ? t(LABELS[field as keyof typeof LABELS]) : field,
  );
  const close = () => {
    draft.clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const isRight = {
    titles: texts.title_en.trim() !== '' && texts.title_ar.trim() !== '',
    until: until === '' || from === '' || until >= from,
    audience: isForAll || chosen.length > 0,
  };
  const saving = useMutation({
    mutationFn: () => {
      const body = {
        ...texts,
        ...(from !== before.from && from !== '' && { from: startOf(from) }),
        ...(until !== before.until && { until: until === '' ? null : endOf(until) }),
        audience: isForAll ? ('all' as const) : [...chosen],
      };
      if (post === undefined) return api.call('createPost', { body, idempotencyKey: keyFor(body) });
      const change = changedFields(post, body);
      if (Object.keys(change).length === 0) return Promise.resolve(post);
      return saveFields({
        base: post,
        change,
        send: (fields, latest) =>
          api.call('changePost', { path: { id: post.id }, body: fields, headers: ifMatch(latest) }),
        choose,
      });
    },
    onSuccess: async ({ title_en, title_ar }) => {
      const title = language === 'ar' ? title_ar : title_en;
      showToast({ tone: 'good', text: post === undefined ? t('published', { title }) : t('changed') });
      close();
      await readAgain('listPosts', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(saving.error);
  const text = (name: Text, label: string, dir: 'ltr' | 'rtl', lines?: number) => (
    <div className="announcements-written" data-dir={dir}>
      <Field
        label={label}
        value={texts[name]}
        onChange={(value) => set({ texts: { ...texts, [name]: value } })}
        error={isTried && name.startsWith('title') && texts[name].trim() === '' ? common('required') : refused[name]}
        maxLength={lines === undefined ? 200 : 10_000}
        {...(lines && { lines })}
      />
    </div>
  );
  return (
    <FormDialog
      title={post === undefined ? t('new') : t('change', { title: language === 'ar' ? post.title_ar : post.title_en })}
      onClose={close}
      isRestored={draft.isRestored}
      onSend={() => {
        setTried(true);
        if (Object.values(isRight).every(Boolean)) saving.mutate();
      }}
      send={post === undefined ? t('publish') : common('save')}
      isBusy={saving.isPending}
      error={saving.error}
      size="wide"
    >
      <div className="operator-pair">
        {text('title_en', t('titleEn'), 'ltr')}
        {text('title_ar', t('titleAr'), 'rtl')}
        {text('body_en', t('bodyEn'), 'ltr', 5)}
        {text('body_ar', t('bodyAr'), 'rtl', 5)}
      </div>
      <div className="operator-pair">
        <DayField
          label={t('from')}
          hint={t('fromHint')}
          value={from}
          onChange={(value) => set({ from: value })}
          error={refused.from}
        />
        <DayField
          label={t('until')}
          hint={t('untilHint')}
          value={until}
          onChange={(value) => set({ until: value })}
          clearable
          error={isTried && !isRight.until ? t('untilWrong') : refused.until}
        />
      </div>
      <div className="ui-field">
        <span className="ui-label">{t('audience')}</span>
        <Segments
          label={t('audience')}
          value={isForAll ? 'all' : 'some'}
          onChange={(value) => set({ isForAll: value === 'all' })}
          options={[
            { value: 'all', text: t('all') },
            { value: 'some', text: t('some') },
          ]}
        />
        {isTried && !isRight.audience && <span className="ui-error-text">{t('chooseSome')}</span>}
      </div>
      {!isForAll && <AudienceChoice chosen={chosen} onChange={(ids) => set({ chosen: [...ids] })} />}
      {dialog}
    </FormDialog>
  );
}
