import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TrackedJobs } from '../jobs/index.ts';
import { bulkRoutes } from './bulk/bulk-routes.ts';
import { listRoutes } from './list/list-routes.ts';
import { noteRoutes } from './notes/notes-routes.ts';
import type { Ordering } from './ordering.ts';
import { placeRoutes } from './place/place-routes.ts';
import type { ResponseLimiter } from './response-limiter.ts';
import type { Moving } from './status/move-at-vendor.ts';
import { statusRoutes } from './status/status-routes.ts';
import { tagRoutes } from './tags/tags-routes.ts';
import { updateRoutes } from './update/update-routes.ts';

export type OrderTools = {
  ordering: Ordering;
  trackedJobs: TrackedJobs;
  largeResponses: ResponseLimiter;
  moving: Moving;
};

export function orderRoutes(app: App, platform: Platform, tools: OrderTools): void {
  const { ordering, trackedJobs, largeResponses, moving } = tools;
  listRoutes(app, platform, largeResponses);
  placeRoutes(app, platform, ordering, trackedJobs);
  updateRoutes(app, platform, moving);
  statusRoutes(app, platform, moving);
  bulkRoutes(app, platform, moving);
  noteRoutes(app, platform);
  tagRoutes(app, platform);
}
