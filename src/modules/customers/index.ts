export { customerIdOf } from './identity.ts';
export { type CustomerShare, moveCustomers, recountCustomers } from './move-customers.ts';
export { customerRoutes } from './routes.ts';
export { countCustomersSince } from './sql/count-since.ts';
