import { consoleTests } from './harness/index.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { forecastsJourneys, forecastsPages } from './journeys/forecasts.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { manyOrdersJourneys } from './journeys/many-orders.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';
import { tillJourneys, tillPages } from './journeys/till.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

everyPage(tests, [...doorPages, ...homePages, ...ordersPages, ...tillPages, ...forecastsPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
manyOrdersJourneys(tests);
tillJourneys(tests);
forecastsJourneys(tests);
