export { customerIdOf } from './identity.ts';
export { type CustomerShare, moveCustomers } from './move-customers.ts';
export { customerRoutes } from './routes.ts';
export { clearCustomers } from './sql/customers.ts';
