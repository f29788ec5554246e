export { addClosures } from './closures/add-closures.ts';
export { lockClosureBranches } from './closures/sql.ts';
export { branchRoutes } from './routes.ts';
export { saveBranches } from './save-branches.ts';
export {
  type BranchLabel,
  type BranchName,
  type BranchOutline,
  countBranchesOf,
  findBranchLabels,
  listBranchLabels,
  listBranchOutlines,
  listChargeableBranches,
  type NamedBranch,
} from './sql/outline.ts';
