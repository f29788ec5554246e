import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { changePost, createPost, MAX_POSTS, postNotFound, removePost, tooManyPosts } from './save-post.ts';
import * as shapes from './schema.ts';
import { countPosts, listPostRows } from './sql.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const LIST_CAP = 500;
const PostParams = Type.Object({
  id: Type.String({ description: "The post's id", examples: [shapes.EXAMPLE_POST_ID] }),
});
const unknownPost = postNotFound(shapes.EXAMPLE_POST_ID);
const backwards = unprocessable({ until: 'must be after from' });

export function postRoutes(app: App, { sql, clock, idempotentWrite }: Platform): void {
  app.get(
    '/commercial/posts',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listPosts',
        summary: 'Announcements, those that are shown last first',
        description: `All of them, also those of the past and of the future; there are at most ${MAX_POSTS}. Merchants see theirs on the dashboard.`,
        response: { 200: shapes.PostList, ...refusals },
      },
    },
    async () => {
      const rows = await listPostRows(sql, LIST_CAP);
      const total = rows.length < LIST_CAP ? rows.length : await countPosts(sql);
      return { items: rows.map(shapes.postShape), total_items: total };
    },
  );

  app.post(
    '/commercial/posts',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'createPost',
        summary: 'Announce something',
        description: `To everybody, or to up to ${shapes.MAX_AUDIENCE} organizations; from now on and for good unless told otherwise.`,
        takes: ['idempotency-key'],
        refuses: [backwards, tooManyPosts()],
        body: shapes.NewPost,
        response: { 201: shapes.Post, ...refusals },
      },
    },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const post = await createPost(tx, request.body, actorOf(request), clock.now());
        return { status: 201, body: shapes.postShape(post) };
      }),
  );

  app.patch(
    '/commercial/posts/:id',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changePost',
        summary: 'Change an announcement: what is absent stays',
        description: 'With `until` null it is shown for good.',
        refuses: [unknownPost, backwards],
        params: PostParams,
        body: shapes.PostChange,
        response: { 200: shapes.Post, ...refusals },
      },
    },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      return shapes.postShape(await inTransaction(sql, (tx) => changePost(tx, params.id, body, actor, clock.now())));
    },
  );

  app.delete(
    '/commercial/posts/:id',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'removePost',
        summary: 'Take an announcement back',
        description: 'Answers with what it was.',
        refuses: [unknownPost],
        params: PostParams,
        response: { 200: shapes.Post, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      return shapes.postShape(await inTransaction(sql, (tx) => removePost(tx, request.params.id, actor, clock.now())));
    },
  );
}
