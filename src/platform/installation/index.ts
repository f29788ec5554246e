export { findFact, settleFact } from './facts.ts';
export { checkKnownSecret, settleInstallation } from './settle-installation.ts';
