import { Fragment, type ReactNode } from 'react';
import { useLanguage, useWords } from '../i18n/index.ts';
import { Dialog, Kbd } from '../ui/index.ts';
import { useNavigation } from './navigation.tsx';
import { appWords } from './words.ts';

export default function ShortcutHelp({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(appWords);
  const language = useLanguage();
  const pages = useNavigation()
    .filter(({ keys }) => keys !== undefined)
    .map(({ keys = '', title }) => [t('key.go', { page: title[language] }), keys.toUpperCase().split(' ')] as const);
  const keys: readonly (readonly [string, readonly string[]])[] = [
    [t('key.palette'), ['Ctrl', 'K']],
    [t('key.help'), ['?']],
    [t('key.search'), ['/']],
    [t('key.rows'), ['↓', '↑']],
    [t('key.open'), ['Enter']],
    [t('key.close'), ['Esc']],
    ...pages,
  ];
  return (
    <Dialog title={t('shortcuts')} isOpen onClose={onClose}>
      <dl className="frame-keys">
        {keys.map(([what, pressed]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
