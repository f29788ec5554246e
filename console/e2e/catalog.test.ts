import { consoleTests } from './harness/index.ts';
import { backToListsJourneys } from './journeys/back-to-lists.ts';
import { branchesJourneys } from './journeys/branches.ts';
import { catalogJourneys } from './journeys/catalog.ts';
import { forecastsJourneys } from './journeys/forecasts.ts';
import { matrixJourneys } from './journeys/matrix.ts';
import { productImageJourneys } from './journeys/product-images.ts';
import { steadyDialogsJourneys } from './journeys/steady-dialogs.ts';

const tests = consoleTests();

catalogJourneys(tests);
backToListsJourneys(tests);
matrixJourneys(tests);
productImageJourneys(tests);
branchesJourneys(tests);
forecastsJourneys(tests);
steadyDialogsJourneys(tests);
