import { consoleTests } from './harness/index.ts';
import { catalogJourneys, catalogPages } from './journeys/catalog.ts';
import { branchesJourneys, branchesPages } from './journeys/branches.ts';
import { customersJourneys, customersPages } from './journeys/customers.ts';
import { doorJourneys, doorPages } from './journeys/door.ts';
import { everyPage } from './journeys/every-page.ts';
import { frameJourneys } from './journeys/frame.ts';
import { homeJourneys, homePages } from './journeys/home.ts';
import { matrixJourneys } from './journeys/matrix.ts';
import { ordersJourneys, ordersPages } from './journeys/orders.ts';
import { settingsJourneys, settingsPages } from './journeys/settings.ts';
import { welcomeJourneys, welcomePages } from './journeys/welcome.ts';

// One file, so that one service, one demo and one browser serve all journeys.
const tests = consoleTests();

everyPage(tests, [...doorPages, ...homePages, ...ordersPages, ...settingsPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
settingsJourneys(tests);
frameJourneys(tests);
everyPage(tests, [...doorPages, ...homePages, ...ordersPages, ...catalogPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
catalogJourneys(tests);
matrixJourneys(tests);
everyPage(tests, [...doorPages, ...welcomePages, ...homePages, ...ordersPages, ...customersPages, ...branchesPages]);
doorJourneys(tests);
homeJourneys(tests);
ordersJourneys(tests);
customersJourneys(tests);
branchesJourneys(tests);
welcomeJourneys(tests);
