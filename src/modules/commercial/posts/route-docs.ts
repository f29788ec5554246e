import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { preconditionFailed } from '../../../platform/http/preconditions.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { MAX_POSTS, postNotFound, tooManyPosts } from './save-post.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const PostParams = Type.Object({
  id: Type.String({ description: "The post's id", examples: [shapes.EXAMPLE_POST_ID] }),
});
const unknownPost = postNotFound(shapes.EXAMPLE_POST_ID);
const backwards = unprocessable({ until: 'must be after from' });

export const listPostsDoc = {
  tags,
  operationId: 'listPosts',
  summary: 'List posts',
  description: `Past, current and future announcements, latest first, without pages; there are at most ${MAX_POSTS}. Merchants see theirs on the dashboard.`,
  response: { 200: shapes.PostList, ...refusals },
};

export const createPostDoc = {
  tags,
  operationId: 'createPost',
  summary: 'Create a post',
  description: `For all organizations, or for up to ${shapes.MAX_AUDIENCE}. By default it is shown from now on and has no end.`,
  takes: ['idempotency-key'] as const,
  refuses: [backwards, tooManyPosts()],
  body: shapes.NewPost,
  response: { 201: shapes.Post, ...refusals },
};

export const changePostDoc = {
  tags,
  operationId: 'changePost',
  summary: 'Change a post',
  description: 'Absent fields stay as they are. With `until` null it has no end.',
  takes: ['if-match'] as const,
  answersEtag: true,
  refuses: [unknownPost, backwards, preconditionFailed(shapes.POST_EXAMPLE)],
  params: PostParams,
  body: shapes.PostChange,
  response: { 200: shapes.Post, ...refusals },
};

export const removePostDoc = {
  tags,
  operationId: 'removePost',
  summary: 'Delete a post',
  description: 'The response is the removed record.',
  refuses: [unknownPost],
  params: PostParams,
  response: { 200: shapes.Post, ...refusals },
};
