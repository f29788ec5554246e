export { assignService, listChargeableAssignments } from './assign-service.ts';
export { addAsset } from './manage-assets.ts';
export { serviceRoutes } from './routes.ts';
export { createService } from './save-service.ts';
export type { ChargeableAssignment } from './sql/assignments.ts';
