import fastify from 'fastify';
import { orderColumns } from '../../src/modules/orders/sql/columns.ts';
import { connectDatabase, type DatabaseAddress } from '../../src/platform/database/index.ts';

/** Fastify and the plainest statement that lists orders, nothing else: no gate, no checks, no total, rows sent as they come. */
const address = JSON.parse(process.env.DATABASE ?? '""') as DatabaseAddress;
const organizationId = process.env.ORGANIZATION ?? '';
const sql = connectDatabase(address, { poolSize: 16, applicationName: 'bare' });
const app = fastify();
app.get(
  '/orders',
  () => sql`
    select ${orderColumns(sql)} from orders o where o.organization_id = ${organizationId}
    order by o.created_at desc, o.id desc limit 50`,
);
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ baseUrl });
