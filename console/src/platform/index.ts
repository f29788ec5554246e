export type { Account, Action, Grant, Organization, Resource } from './account.ts';
export { createQueries, queriesOf, useApi, useRead, useReadAgain } from './api.ts';
export { setBadge, useBadge } from './badges.ts';
export { useDraft, useHasDraft } from './drafts.ts';
export { type Explained, fieldErrors, useExplainError } from './explain-error.ts';
export type { Feature, Finder, Found, NavigationEntry, NavigationGroup } from './feature.ts';
export { GoOnce } from './go-once.tsx';
export {
  endJob,
  forgetJobs,
  isJobWatched,
  type JobEnd,
  type RememberedJob,
  useJobQuietly,
  useRememberedJobs,
} from './jobs.ts';
export { leaveSupport, openSupport, resumeSupport } from './lazy-support.ts';
export { type LiveState, useLive, useLiveConnection, useLiveState } from './live.ts';
export { readStored, storedNames, writeStored } from './local-storage.ts';
export { useOnline } from './online.ts';
export { chooseLanguage, chooseTheme, type Theme, useChosenLanguage, useTheme } from './preferences.ts';
export { insideRoute, rootRoute } from './routes.ts';
export {
  type ConflictChoice,
  changedFields,
  currentVersion,
  type FieldConflict,
  ifMatch,
  saveFields,
} from './save-fields.ts';
export { saveFile } from './save-file.ts';
export { type Scope, whenScopeEnds } from './scope.ts';
export {
  pageIn,
  parseSearch,
  type SearchChange,
  stringifySearch,
  textIn,
  withoutAbsent,
  wordIn,
} from './search-params.ts';
export {
  acceptInvitation,
  chooseOrganization,
  currentSession,
  isKnownHere,
  reloadAccount,
  type Session,
  signIn,
  signOut,
  startSession,
  useMay,
  useOrganization,
  useScope,
  useSession,
  whenSessionChanges,
} from './session.ts';
export type { Store } from './store.ts';
export { claimTabId, openTabIds } from './tab-id.ts';
export { pathBefore, recordVisits } from './visits.ts';
