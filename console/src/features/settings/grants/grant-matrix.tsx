import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import type { Grant, Resource } from '../../../platform/index.ts';
import { Checkbox } from '../../../ui/index.ts';
import './grants.css';
import { ACTIONS, grantOf, RESOURCES } from './grants.ts';
import { grantsWords } from './words.ts';

/** Resources and actions as a matrix; each cell toggles. */
export function GrantMatrix(props: {
  label: string;
  resources?: readonly Resource[];
  isOn(grant: Grant): boolean;
  onTurn(grant: Grant): void;
  isDisabled?(grant: Grant): boolean;
  isChanged?(grant: Grant): boolean;
}): ReactNode {
  const t = useWords(grantsWords);
  const { resources = RESOURCES } = props;
  return (
    <div className="grants">
      <table aria-label={props.label}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('resource')}</span>
            </th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col">
                {t(`action.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr key={resource}>
              <th scope="row">{t(`resource.${resource}`)}</th>
              {ACTIONS.map((action) => {
                const grant = grantOf(action, resource);
                const isChanged = props.isChanged?.(grant) === true;
                const name = t('grant', { resource: t(`resource.${resource}`), action: t(`action.${action}`) });
                return (
                  <td key={action} data-changed={isChanged || undefined}>
                    <Checkbox
                      aria-label={isChanged ? `${name} (${t('changed')})` : name}
                      isSelected={props.isOn(grant)}
                      isDisabled={props.isDisabled?.(grant) === true}
                      onChange={() => props.onTurn(grant)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
