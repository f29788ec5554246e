import { consoleTests } from './harness/index.ts';
import { customersJourneys } from './journeys/customers.ts';
import { homeJourneys } from './journeys/home.ts';
import { manyOrdersJourneys } from './journeys/many-orders.ts';
import { orderEditorJourneys } from './journeys/order-editor.ts';
import { orderNotesJourneys } from './journeys/order-notes.ts';
import { ordersJourneys } from './journeys/orders.ts';
import { tillJourneys } from './journeys/till.ts';

const tests = consoleTests();

homeJourneys(tests);
ordersJourneys(tests);
orderNotesJourneys(tests);
orderEditorJourneys(tests);
manyOrdersJourneys(tests);
tillJourneys(tests);
customersJourneys(tests);
