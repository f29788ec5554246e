import { appsFeature } from '../features/apps/feature.ts';
import { homeFeature } from '../features/home/feature.ts';
import { ordersFeature } from '../features/orders/feature.ts';
import { paymentsFeature } from '../features/payments/feature.ts';
import { webhooksFeature } from '../features/webhooks/feature.ts';
import type { Feature } from '../platform/index.ts';

/** Every part of the console, in the order of its navigation. Its routes are listed in `router.tsx`. */
export const FEATURES: readonly Feature[] = [homeFeature, ordersFeature, webhooksFeature, appsFeature, paymentsFeature];
