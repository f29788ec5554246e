import { useWords } from '../../../i18n/index.ts';
import type { Tone } from '../../../ui/index.ts';
import { isStage } from './lead.ts';
import { leadsWords } from './words.ts';

const TONES: Record<string, Tone> = { new: 'info', contacted: 'accent', qualified: 'warn', won: 'good', lost: 'plain' };

export const stageTone = (status: string): Tone => TONES[status] ?? 'plain';

export function useStageName(): (status: string) => string {
  const t = useWords(leadsWords);
  return (status) => (isStage(status) ? t(`stage.${status}`) : status);
}
