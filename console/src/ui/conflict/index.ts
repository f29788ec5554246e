export { useConflictChoice } from './use-conflict-choice.tsx';
