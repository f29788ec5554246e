import { useLanguage } from '../../../i18n/index.ts';
import { organizationsWords } from './words.ts';

/** Those that have a price. */
export const PLANS = ['starter', 'standard', 'growth', 'enterprise'] as const;

/** A plan from before, or of somebody's own, is called what it is called. */
export function usePlanName(): (plan: string) => string {
  const words: Partial<Record<string, unknown>> = organizationsWords[useLanguage()];
  return (plan) => {
    const known = words[`plan.${plan}`];
    return typeof known === 'string' ? known : plan;
  };
}
