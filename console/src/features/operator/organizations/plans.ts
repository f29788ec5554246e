import { useLanguage } from '../../../i18n/index.ts';
import { organizationsWords } from './words.ts';

/** Those that have a price. */
export const PLANS = ['starter', 'standard', 'growth', 'enterprise'] as const;

/** A discontinued or custom plan is shown by its stored name. */
export function usePlanName(): (plan: string) => string {
  const words: Partial<Record<string, unknown>> = organizationsWords[useLanguage()];
  return (plan) => {
    const known = words[`plan.${plan}`];
    return typeof known === 'string' ? known : plan;
  };
}
