import { type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import type { ConflictChoice, FieldConflict } from '../../platform/index.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { conflictWords } from './words.ts';

type Shown = { field: string; mine: unknown; theirs: unknown };
type Asked = { conflicts: readonly Shown[]; answer(choice: ConflictChoice): void };

/** Asks which of two versions of a field is to stay. `dialog` has to be rendered by the page. */
export function useConflictChoice(
  labelOf: (field: string) => string,
  textOf: (field: string, value: unknown) => string | undefined = () => undefined,
) {
  const [asked, setAsked] = useState<Asked>();
  function choose<Fields>(conflicts: FieldConflict<Fields>[]): Promise<ConflictChoice> {
    return new Promise((resolve) => {
      const answer = (choice: ConflictChoice) => {
        setAsked(undefined);
        resolve(choice);
      };
      setAsked({ conflicts, answer });
    });
  }
  const dialog = asked && <ConflictDialog {...asked} labelOf={labelOf} textOf={textOf} />;
  return { choose, dialog };
}

function ConflictDialog(
  props: Asked & { labelOf(field: string): string; textOf(field: string, value: unknown): string | undefined },
): ReactNode {
  const t = useWords(conflictWords);
  const { conflicts, answer, labelOf, textOf } = props;
  const show = (field: string, value: unknown) => {
    if (value === null || value === undefined || value === '') return t('empty');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return textOf(field, value) ?? (typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  return (
    <Dialog
      title={t('title')}
      isOpen
      onClose={() => answer('theirs')}
      foot={
        <>
          <Button onPress={() => answer('theirs')}>{t('keepTheirs')}</Button>
          <Button look="primary" onPress={() => answer('mine')}>
            {t('saveMine')}
          </Button>
        </>
      }
    >
      <p>{t('text')}</p>
      <table className="ui-conflict">
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('theirs')}</th>
            <th scope="col">{t('mine')}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field, mine, theirs }) => (
            <tr key={field}>
              <th scope="row">{labelOf(field)}</th>
              <td>
                <bdi>{show(field, theirs)}</bdi>
              </td>
              <td>
                <bdi>{show(field, mine)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
