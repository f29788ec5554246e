import type { PageToSee } from '../harness/index.ts';
import { appsPages } from './apps.ts';
import { branchesPages } from './branches.ts';
import { catalogPages } from './catalog.ts';
import { customersPages } from './customers.ts';
import { forecastsPages } from './forecasts.ts';
import { homePages } from './home.ts';
import { operatorPages } from './operator.ts';
import { orderEditorPages } from './order-editor.ts';
import { ordersPages } from './orders.ts';
import { paymentsPages } from './payments.ts';
import { settingsPages } from './settings.ts';
import { signInPages } from './sign-in.ts';
import { tillPages } from './till.ts';
import { webhooksPages } from './webhooks.ts';
import { welcomePages } from './welcome.ts';

/** Every page of the console. A page that is added to the list of its feature is checked without further changes. */
export const allPages: readonly PageToSee[] = [
  ...signInPages,
  ...welcomePages,
  ...homePages,
  ...ordersPages,
  ...orderEditorPages,
  ...tillPages,
  ...customersPages,
  ...catalogPages,
  ...branchesPages,
  ...appsPages,
  ...paymentsPages,
  ...webhooksPages,
  ...forecastsPages,
  ...settingsPages,
  ...operatorPages,
];
