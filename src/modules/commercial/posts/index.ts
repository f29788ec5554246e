export { listPostsFor } from './list-posts-for.ts';
export { postRoutes } from './routes.ts';
export { createPost } from './save-post.ts';
export { readNextPostChange } from './sql.ts';
