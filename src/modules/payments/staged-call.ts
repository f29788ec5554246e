import type { ReadContext, StagedCall } from '../../providers/contract.ts';

/** A provider's call as it was staged, and what it takes to read it. */
export type StagedCallOf = { call: StagedCall; context: ReadContext };
