import fastify from 'fastify';
import { listOrders } from '../../src/modules/orders/sql/find-orders.ts';
import { connectDatabase, type DatabaseAddress } from '../../src/platform/database/index.ts';

/** Fastify and the list's own statement, nothing else: no gate, no checks, no total, rows sent as they come. */
const address = JSON.parse(process.env.DATABASE ?? '""') as DatabaseAddress;
const organizationId = process.env.ORGANIZATION ?? '';
const sql = connectDatabase(address, { poolSize: 16, applicationName: 'bare' });
const app = fastify();
app.get('/orders', () =>
  listOrders(
    sql,
    { organizationId, branchId: null },
    { column: 'created', descending: true },
    { limit: 50, offset: 0 },
  ),
);
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ baseUrl });
