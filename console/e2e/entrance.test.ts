import { consoleTests } from './harness/index.ts';
import { allPages } from './journeys/all-pages.ts';
import { frameJourneys } from './journeys/frame.ts';
import { sessionsJourneys } from './journeys/sessions.ts';
import { signInJourneys } from './journeys/sign-in.ts';
import { snapshotJourneys } from './journeys/snapshots.ts';
import { welcomeJourneys } from './journeys/welcome.ts';

const tests = consoleTests();

signInJourneys(tests);
sessionsJourneys(tests);
frameJourneys(tests);
welcomeJourneys(tests);
// Last, when the background work that the demo starts has ended.
snapshotJourneys(tests, allPages);
