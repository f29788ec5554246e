import { consoleTests } from './harness/index.ts';
import { customersJourneys } from './journeys/customers.ts';
import { homeJourneys } from './journeys/home.ts';
import { manyOrdersJourneys } from './journeys/many-orders.ts';
import { ordersJourneys } from './journeys/orders.ts';
import { tillJourneys } from './journeys/till.ts';

const tests = consoleTests();

homeJourneys(tests);
ordersJourneys(tests);
manyOrdersJourneys(tests);
tillJourneys(tests);
customersJourneys(tests);
