import { consoleTests } from './harness/index.ts';
import { appsJourneys } from './journeys/apps.ts';
import { paymentsJourneys } from './journeys/payments.ts';
import { webhooksJourneys } from './journeys/webhooks.ts';

const tests = consoleTests();

paymentsJourneys(tests);
webhooksJourneys(tests);
appsJourneys(tests);
