import { useLanguage } from '../../../i18n/index.ts';
import { actionWords } from './words.ts';

/** The id that the service stores for actions without an organization. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** `suspend` is complete; `create` needs its resource. An unknown action is shown as stored. */
export function useActionName(): (done: { action: string; resource: string; organization_id: string }) => string {
  const words: Partial<Record<string, unknown>> = actionWords[useLanguage()];
  return ({ action, resource, organization_id }) => {
    const opened = action === 'create' && organization_id !== NO_ORGANIZATION ? words.open : undefined;
    const known = opened ?? words[`${action} ${resource}`] ?? words[action];
    return typeof known === 'string' ? known : `${action} · ${resource}`;
  };
}
