import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import { BRANDS, CATEGORIES } from './group.ts';
import { groupRoutes } from './routes.ts';

export { BRANDS, CATEGORIES } from './group.ts';
export { insertGroup } from './sql.ts';

export function brandRoutes(app: App, platform: Platform): void {
  groupRoutes(app, platform, BRANDS);
}

export function categoryRoutes(app: App, platform: Platform): void {
  groupRoutes(app, platform, CATEGORIES);
}
