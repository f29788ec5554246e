import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import { DELIVERY_STATUSES, type DeliverySearch } from './webhook-search.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

export const eventCatalogRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/webhooks/events',
  validateSearch: (search: Record<string, unknown>): { type?: string } => {
    const type = textIn(search, 'type');
    return type === undefined ? {} : { type };
  },
  component: lazyRouteComponent(() => import('./event-catalog-page.tsx'), 'EventCatalogPage'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/webhooks/$id',
  validateSearch: (search: Record<string, unknown>): DeliverySearch => {
    return withoutAbsent({
      status: wordIn(search, 'status', DELIVERY_STATUSES),
      page: pageIn(search),
      delivery: textIn(search, 'delivery'),
    });
  },
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
