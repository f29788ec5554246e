export { beginOperation, OperationUnderWay, refuseUnderWay, untilFree } from './begin-operation.ts';
export { createOperationRecovery } from './recover-operations.ts';
export {
  abandonOperation,
  claimOperation,
  findOperation,
  findOperationOnAny,
  type Operation,
  type OperationKey,
  settleOperation,
} from './sql.ts';
