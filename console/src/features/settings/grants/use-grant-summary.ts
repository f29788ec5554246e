import { useFormat, useWords } from '../../../i18n/index.ts';
import type { Action, Resource } from '../../../platform/index.ts';
import { ACTIONS, grantOf, RESOURCES } from './grants.ts';
import { grantsWords } from './words.ts';

/** `Orders: read, create` a resource. */
export function useGrantSummary(): (grants: readonly string[]) => string[] {
  const t = useWords(grantsWords);
  const { list } = useFormat();
  const actionsOn = (grants: readonly string[], resource: Resource): Action[] =>
    ACTIONS.filter((action) => grants.includes(grantOf(action, resource)));
  return (grants) =>
    RESOURCES.flatMap((resource) => {
      const actions = actionsOn(grants, resource);
      if (actions.length === 0) return [];
      const said =
        actions.length === ACTIONS.length ? t('everything') : list(actions.map((action) => t(`action.${action}`)));
      return [t('summary', { resource: t(`resource.${resource}`), actions: said })];
    });
}
