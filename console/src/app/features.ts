import { appsFeature } from '../features/apps/feature.ts';
import { branchesFeature } from '../features/branches/feature.ts';
import { catalogFeature } from '../features/catalog/feature.ts';
import { customersFeature } from '../features/customers/feature.ts';
import { forecastsFeature } from '../features/forecasts/feature.ts';
import { homeFeature } from '../features/home/feature.ts';
import { operatorFeature } from '../features/operator/feature.ts';
import { ordersFeature } from '../features/orders/feature.ts';
import { paymentsFeature } from '../features/payments/feature.ts';
import { settingsFeature } from '../features/settings/feature.ts';
import { tillFeature } from '../features/till/feature.ts';
import { webhooksFeature } from '../features/webhooks/feature.ts';
import type { Feature } from '../platform/index.ts';

/** The parts of the console in the order of the navigation. After sign-in a user lands on the first that is open to them. Routes: `router.tsx`. */
export const FEATURES: readonly Feature[] = [
  homeFeature,
  ordersFeature,
  tillFeature,
  customersFeature,
  catalogFeature,
  branchesFeature,
  appsFeature,
  paymentsFeature,
  webhooksFeature,
  forecastsFeature,
  operatorFeature,
  settingsFeature,
];
