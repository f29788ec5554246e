import type { Row } from '@dukkan/sdk';

export type Post = Row<'listPosts'>;
