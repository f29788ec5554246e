import { consoleTests } from './harness/index.ts';
import { branchesJourneys } from './journeys/branches.ts';
import { catalogJourneys } from './journeys/catalog.ts';
import { forecastsJourneys } from './journeys/forecasts.ts';
import { matrixJourneys } from './journeys/matrix.ts';
import { productImageJourneys } from './journeys/product-images.ts';

const tests = consoleTests();

catalogJourneys(tests);
matrixJourneys(tests);
productImageJourneys(tests);
branchesJourneys(tests);
forecastsJourneys(tests);
