import { consoleTests } from './harness/index.ts';
import { operatorJourneys } from './journeys/operator.ts';
import { paymentsJourneys } from './journeys/payments.ts';
import { sessionsJourneys } from './journeys/sessions.ts';
import { settingsJourneys } from './journeys/settings.ts';
import { webhooksJourneys } from './journeys/webhooks.ts';

const tests = consoleTests();

sessionsJourneys(tests);
paymentsJourneys(tests);
webhooksJourneys(tests);
settingsJourneys(tests);
operatorJourneys(tests);
