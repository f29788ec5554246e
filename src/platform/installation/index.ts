export { findFact, settleFact } from './facts.ts';
export { checkKnownSecret, type FindSealed, settleInstallation, WrongSecret } from './settle-installation.ts';
