import type { ReadContext, StagedCall } from '../../providers/contract.ts';

/** A provider's call as it was staged, with the context to parse it. */
export type StagedCallOf = { call: StagedCall; context: ReadContext };
