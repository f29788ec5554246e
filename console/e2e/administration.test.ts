import { consoleTests } from './harness/index.ts';
import { feesAndLeadsJourneys } from './journeys/fees-and-leads.ts';
import { operatorJourneys } from './journeys/operator.ts';
import { peopleJourneys } from './journeys/people.ts';
import { settingsJourneys } from './journeys/settings.ts';
import { supportJourneys } from './journeys/support.ts';

const tests = consoleTests();

settingsJourneys(tests);
peopleJourneys(tests);
operatorJourneys(tests);
feesAndLeadsJourneys(tests);
supportJourneys(tests);
