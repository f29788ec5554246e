import { consoleTests } from './harness/index.ts';
import { appsJourneys, appsPages } from './journeys/apps.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';
import { paymentsJourneys, paymentsPages } from './journeys/payments.ts';
import { webhooksJourneys, webhooksPages } from './journeys/webhooks.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

everyPage(tests, [...doorPages, ...homePages, ...ordersPages, ...webhooksPages, ...appsPages, ...paymentsPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
webhooksJourneys(tests);
appsJourneys(tests);
paymentsJourneys(tests);
