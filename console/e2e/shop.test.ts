import { consoleTests } from './harness/index.ts';
import { appsJourneys } from './journeys/apps.ts';
import { branchesJourneys } from './journeys/branches.ts';
import { catalogJourneys } from './journeys/catalog.ts';
import { customersJourneys } from './journeys/customers.ts';
import { forecastsJourneys } from './journeys/forecasts.ts';
import { homeJourneys } from './journeys/home.ts';
import { manyOrdersJourneys } from './journeys/many-orders.ts';
import { matrixJourneys } from './journeys/matrix.ts';
import { ordersJourneys } from './journeys/orders.ts';
import { tillJourneys } from './journeys/till.ts';

const tests = consoleTests();

homeJourneys(tests);
ordersJourneys(tests);
manyOrdersJourneys(tests);
tillJourneys(tests);
customersJourneys(tests);
catalogJourneys(tests);
matrixJourneys(tests);
branchesJourneys(tests);
appsJourneys(tests);
forecastsJourneys(tests);
