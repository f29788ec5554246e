import { consoleTests } from './harness/index.ts';
import { allPages } from './journeys/all-pages.ts';
import { everyPage } from './journeys/every-page.ts';

everyPage(consoleTests(), allPages, 2);
