import { consoleTests } from './harness/index.ts';
import { branchesJourneys } from './journeys/branches.ts';
import { catalogJourneys } from './journeys/catalog.ts';
import { forecastsJourneys } from './journeys/forecasts.ts';
import { matrixJourneys } from './journeys/matrix.ts';

const tests = consoleTests();

catalogJourneys(tests);
matrixJourneys(tests);
branchesJourneys(tests);
forecastsJourneys(tests);
