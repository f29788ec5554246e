import { type Static, Type } from 'typebox';
import { cappedListOf } from '../../../platform/http/camel-case-pager.ts';
import type { PostRow } from './sql.ts';

export const EXAMPLE_POST_ID = '0193a1f0-7c00-7000-8000-000000000b01';
export const MAX_AUDIENCE = 500;
const EXAMPLE_TIME = '2026-11-15T08:00:00.000Z';

const example = {
  title_en: 'Planned maintenance on Friday',
  title_ar: 'صيانة مجدولة يوم الجمعة',
  body_en: 'The service pauses for ten minutes at 03:00.',
  body_ar: 'تتوقف الخدمة عشر دقائق عند الساعة الثالثة فجرا.',
  from: EXAMPLE_TIME,
  until: '2026-11-20T08:00:00.000Z',
  audience: 'all' as const,
};

const title = (language: string) => Type.String({ pattern: '\\S', maxLength: 200, description: `In ${language}` });
const text = (language: string) => Type.String({ maxLength: 10_000, description: `Plain text in ${language}` });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 64, description });
const until = Type.Optional(
  Type.Union([instant('Shown until then, which is after `from`'), Type.Null()], { description: 'null: no end' }),
);
const Audience = Type.Union(
  [Type.Literal('all'), Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: MAX_AUDIENCE })],
  { title: 'PostAudience', description: 'All organizations, or a list of their ids' },
);

/** Responses declare the type only, without limits, so that every stored row can be shown. */
const ShownAudience = Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
  title: 'ShownAudience',
  description: 'All organizations, or a list of their ids',
});

export const NewPost = Type.Object(
  {
    title_en: title('English'),
    title_ar: title('Arabic'),
    body_en: Type.Optional(text('English')),
    body_ar: Type.Optional(text('Arabic')),
    from: Type.Optional(instant('Shown from this time on; default: now')),
    until,
    audience: Type.Optional(Audience),
  },
  { title: 'NewPost', examples: [example] },
);
export type NewPostShape = Static<typeof NewPost>;

export const PostChange = Type.Object(
  {
    title_en: Type.Optional(title('English')),
    title_ar: Type.Optional(title('Arabic')),
    body_en: Type.Optional(text('English')),
    body_ar: Type.Optional(text('Arabic')),
    from: Type.Optional(instant('Shown from then on')),
    until,
    audience: Type.Optional(Audience),
  },
  { title: 'PostChange', examples: [{ body_en: 'The service pauses for five minutes at 03:00.', until: null }] },
);
export type PostChangeShape = Static<typeof PostChange>;

export const POST_EXAMPLE = { id: EXAMPLE_POST_ID, ...example, created: EXAMPLE_TIME, updated: EXAMPLE_TIME };

export const Post = Type.Object(
  {
    id: Type.String(),
    title_en: Type.String(),
    title_ar: Type.String(),
    body_en: Type.String(),
    body_ar: Type.String(),
    from: Type.String(),
    until: Type.Union([Type.String(), Type.Null()]),
    audience: ShownAudience,
    created: Type.String(),
    updated: Type.String(),
  },
  { title: 'Post', examples: [POST_EXAMPLE] },
);
export type PostShape = Static<typeof Post>;
export const PostList = cappedListOf(Post, 'PostList');

export function postShape({ visible_from, visible_until, audience, ...post }: PostRow): PostShape {
  return {
    ...post,
    from: visible_from.toISOString(),
    until: visible_until?.toISOString() ?? null,
    audience: audience ?? 'all',
    created: post.created.toISOString(),
    updated: post.updated.toISOString(),
  };
}
