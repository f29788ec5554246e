export { createBranch } from './create-branch.ts';
export { branchRoutes } from './routes.ts';
export { saveBranches } from './save-branches.ts';
export {
  type BranchLabel,
  type BranchOutline,
  countBranchesOf,
  findBranchLabels,
  listBranchLabels,
  listBranchOutlines,
} from './sql/outline.ts';
