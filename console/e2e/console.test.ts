import { consoleTests } from './harness/index.ts';
import { appsJourneys, appsPages } from './journeys/apps.ts';
import { branchesJourneys, branchesPages } from './journeys/branches.ts';
import { catalogJourneys, catalogPages } from './journeys/catalog.ts';
import { customersJourneys, customersPages } from './journeys/customers.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { forecastsJourneys, forecastsPages } from './journeys/forecasts.ts';
import { frameJourneys } from './journeys/frame.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { manyOrdersJourneys } from './journeys/many-orders.ts';
import { matrixJourneys } from './journeys/matrix.ts';
import { operatorJourneys, operatorPages } from './journeys/operator.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';
import { paymentsJourneys, paymentsPages } from './journeys/payments.ts';
import { sessionsJourneys } from './journeys/sessions.ts';
import { settingsJourneys, settingsPages } from './journeys/settings.ts';
import { snapshotJourneys } from './journeys/snapshots.ts';
import { tillJourneys, tillPages } from './journeys/till.ts';
import { webhooksJourneys, webhooksPages } from './journeys/webhooks.ts';
import { welcomeJourneys, welcomePages } from './journeys/welcome.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

const pages = [
  ...doorPages,
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
doorJourneys(tests);
sessionsJourneys(tests);
frameJourneys(tests);
welcomeJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
manyOrdersJourneys(tests);
tillJourneys(tests);
customersJourneys(tests);
catalogJourneys(tests);
matrixJourneys(tests);
branchesJourneys(tests);
appsJourneys(tests);
paymentsJourneys(tests);
webhooksJourneys(tests);
forecastsJourneys(tests);
settingsJourneys(tests);
operatorJourneys(tests);
// Last: what the demo began in the background is over by now.
snapshotJourneys(tests, pages);
