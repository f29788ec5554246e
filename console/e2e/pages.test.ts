import { consoleTests } from './harness/index.ts';
import { appsPages } from './journeys/apps.ts';
import { branchesPages } from './journeys/branches.ts';
import { catalogPages } from './journeys/catalog.ts';
import { customersPages } from './journeys/customers.ts';
import { everyPage } from './journeys/every-page.ts';
import { forecastsPages } from './journeys/forecasts.ts';
import { frameJourneys } from './journeys/frame.ts';
import { homePages } from './journeys/home.ts';
import { operatorPages } from './journeys/operator.ts';
import { ordersPages } from './journeys/orders.ts';
import { paymentsPages } from './journeys/payments.ts';
import { settingsPages } from './journeys/settings.ts';
import { signInJourneys, signInPages } from './journeys/sign-in.ts';
import { snapshotJourneys } from './journeys/snapshots.ts';
import { tillPages } from './journeys/till.ts';
import { webhooksPages } from './journeys/webhooks.ts';
import { welcomeJourneys, welcomePages } from './journeys/welcome.ts';

// The journeys are divided into three files of about the same length: one for each worker of a machine with two cores.
const tests = consoleTests();

const pages = [
  ...signInPages,
  ...welcomePages,
  ...homePages,
  ...ordersPages,
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

everyPage(tests, pages);
signInJourneys(tests);
frameJourneys(tests);
welcomeJourneys(tests);
// Last, when the background work that the demo starts has ended.
snapshotJourneys(tests, pages);
