import { defineWords, useLanguage } from '../i18n/index.ts';

/** The plans that have a price. */
export const PLANS = ['starter', 'standard', 'growth', 'enterprise'] as const;

const planWords = defineWords(
  { starter: 'Starter', standard: 'Standard', growth: 'Growth', enterprise: 'Enterprise' },
  { starter: 'البداية', standard: 'الأساسية', growth: 'النمو', enterprise: 'المؤسسات' },
);

/** A discontinued or custom plan is shown by its stored name. */
export function usePlanName(): (plan: string) => string {
  const words: Partial<Record<string, string>> = planWords[useLanguage()];
  return (plan) => words[plan.toLowerCase()] ?? plan;
}
