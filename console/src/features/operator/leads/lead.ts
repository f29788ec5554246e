import type { Row } from '@dukkan/sdk';

export type Lead = Row<'listPipelineLeads'>;
export const STAGES = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type Stage = (typeof STAGES)[number];
export const isStage = (word: string | undefined): word is Stage => STAGES.some((stage) => stage === word);
