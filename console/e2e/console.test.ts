import { consoleTests } from './harness/index.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { operatorJourneys, operatorPages } from './journeys/operator.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

everyPage(tests, [...doorPages, ...homePages, ...ordersPages, ...operatorPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
operatorJourneys(tests);
