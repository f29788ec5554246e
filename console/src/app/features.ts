import { homeFeature } from '../features/home/feature.ts';
import { operatorFeature } from '../features/operator/feature.ts';
import { ordersFeature } from '../features/orders/feature.ts';
import type { Feature } from '../platform/index.ts';

/** Every part of the console, in the order of its navigation. Its routes are listed in `router.tsx`. */
export const FEATURES: readonly Feature[] = [homeFeature, ordersFeature, operatorFeature];
