import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { etagOf, versionCheck } from '../../../platform/http/preconditions.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import * as docs from './route-docs.ts';
import { changePost, createPost, removePost } from './save-post.ts';
import * as shapes from './schema.ts';
import { countPosts, listPostRows } from './sql.ts';

const LIST_CAP = 500;

export function postRoutes(app: App, { sql, clock, idempotentWrite }: Platform): void {
  app.get('/commercial/posts', { config: { access: commercial }, schema: docs.listPostsDoc }, async () => {
    const rows = await listPostRows(sql, LIST_CAP);
    const total = rows.length < LIST_CAP ? rows.length : await countPosts(sql);
    return { items: rows.map(shapes.postShape), total_items: total };
  });

  app.post('/commercial/posts', { config: { access: commercial }, schema: docs.createPostDoc }, (request, reply) =>
    idempotentWrite(request, reply, userScope(request), async (tx) => {
      const post = await createPost(tx, request.body, actorOf(request), clock.now());
      return { status: 201, body: shapes.postShape(post) };
    }),
  );

  app.patch(
    '/commercial/posts/:id',
    { config: { access: commercial }, schema: docs.changePostDoc },
    async (request, reply) => {
      const { params, body } = request;
      const actor = actorOf(request);
      const checkVersion = versionCheck(request.headers['if-match'], shapes.postShape);
      const post = await inTransaction(sql, (tx) => changePost(tx, params.id, body, actor, clock.now(), checkVersion));
      reply.header('etag', etagOf(post.updated));
      return shapes.postShape(post);
    },
  );

  app.delete(
    '/commercial/posts/:id',
    { config: { access: commercial }, schema: docs.removePostDoc },
    async (request) => {
      const actor = actorOf(request);
      return shapes.postShape(await inTransaction(sql, (tx) => removePost(tx, request.params.id, actor, clock.now())));
    },
  );
}
