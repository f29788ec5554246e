import { consoleTests } from './harness/index.ts';
import { branchesJourneys, branchesPages } from './journeys/branches.ts';
import { customersJourneys, customersPages } from './journeys/customers.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';
import { welcomeJourneys, welcomePages } from './journeys/welcome.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

everyPage(tests, [...doorPages, ...welcomePages, ...homePages, ...ordersPages, ...customersPages, ...branchesPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
customersJourneys(tests);
branchesJourneys(tests);
welcomeJourneys(tests);
