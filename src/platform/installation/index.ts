export { findFact, replaceFact, settleFact } from './facts.ts';
export { type LeaseHolder, releaseLease, renewLease } from './lease.ts';
export { checkKnownSecret, settleInstallation } from './settle-installation.ts';
