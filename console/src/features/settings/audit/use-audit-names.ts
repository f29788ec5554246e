import { useLanguage, useWords } from '../../../i18n/index.ts';
import { RESOURCES } from '../grants/grants.ts';
import { grantsWords } from '../grants/words.ts';
import { auditWords } from './words.ts';

/** Actions and resources in the current language; unknown ones are shown as received. */
export function useAuditNames() {
  const words: Partial<Record<string, unknown>> = auditWords[useLanguage()];
  const t = useWords(auditWords);
  const grants = useWords(grantsWords);
  return {
    action(action: string): string {
      const known = words[`action.${action}`];
      return typeof known === 'string' ? known : action;
    },
    resource(resource: string): string {
      const known = RESOURCES.find((one) => one === resource);
      return known === undefined ? resource : grants(`resource.${known}`);
    },
    /** An operator inside the organization is shown as support. */
    actor: ({ name, support_grant_id }: { name: string; support_grant_id?: string }) =>
      support_grant_id === undefined ? name : t('supportBy', { name }),
    kind: (kind: 'user' | 'api_key' | 'operator' | 'system' | 'cli') => t(`kind.${kind}`),
  };
}

export const AUDIT_ACTIONS = Object.keys(auditWords.en)
  .filter((key) => key.startsWith('action.'))
  .map((key) => key.slice('action.'.length));
