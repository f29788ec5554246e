import { useQueries } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useLanguage, useWords } from '../i18n/index.ts';
import { chooseLanguage, chooseTheme, type Finder, useApi, useMay, useSession } from '../platform/index.ts';
import { type CommandGroup, CommandPalette } from '../ui/command-palette.tsx';
import type { IconName } from '../ui/index.ts';
import { FEATURES } from './features.ts';
import { useNavigation } from './navigation.tsx';
import { appWords } from './words.ts';

const FINDERS: readonly Finder[] = FEATURES.flatMap(({ finder }) => finder ?? []);
const LETTERS_BEFORE_ASKING = 2;

export default function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }): ReactNode {
  const t = useWords(appWords);
  const language = useLanguage();
  const { navigate } = useRouter();
  const [text, setText] = useState('');
  const found = useFound(useDeferredValue(text.trim()));
  const fits = (title: string) => title.toLocaleLowerCase(language).includes(text.trim().toLocaleLowerCase(language));

  const pages = useNavigation()
    .filter(({ title }) => fits(title.en) || fits(title.ar))
    .map(({ to, title, icon, keys }) => ({
      id: `to ${to}`,
      text: title[language],
      icon: icon as IconName,
      note: keys?.toUpperCase(),
      run: () => void navigate({ to: to as '/' }),
    }));
  const actions = [
    { id: 'help', text: t('shortcuts'), icon: 'info' as const, note: '?', run: onHelp },
    {
      id: 'language',
      text: language === 'ar' ? 'English' : 'العربية',
      icon: 'globe' as const,
      run: () => chooseLanguage(language === 'ar' ? 'en' : 'ar'),
    },
    { id: 'light', text: t('theme.light'), icon: 'sun' as const, run: () => chooseTheme('light') },
    { id: 'dark', text: t('theme.dark'), icon: 'sun' as const, run: () => chooseTheme('dark') },
  ].filter((action) => fits(action.text));
  const groups: CommandGroup[] = [
    { id: 'pages', title: t('goTo'), commands: pages },
    ...found.map(({ finder, rows }) => ({
      id: finder.title.en,
      title: finder.title[language],
      commands: rows.map(({ id, to, ...row }) => ({
        id: `${to}${id}`,
        ...row,
        run: () => void navigate({ to: to as '/' }),
      })),
    })),
    { id: 'actions', title: t('actions'), commands: actions },
  ];
  return (
    <CommandPalette
      label={t('find')}
      placeholder={t('findHint')}
      empty={t('findNothing')}
      isOpen
      onClose={onClose}
      text={text}
      onText={setText}
      groups={groups.filter(({ commands }) => commands.length > 0)}
    />
  );
}

function useFound(text: string) {
  const api = useApi();
  const may = useMay();
  const session = useSession();
  const organizationId = session.phase === 'in' ? session.organization?.id : undefined;
  const account = session.phase === 'in' ? session.account : undefined;
  const isOperator = account?.user.operator_type === 'Commercial' && account.support === null;
  const finders = FINDERS.filter(({ grant, commercial }) =>
    commercial === true ? isOperator : grant === undefined || may(grant),
  );
  const answers = useQueries({
    queries: finders.map((finder) => ({
      queryKey: [organizationId, 'find', finder.title.en, text],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await finder.load()).find(api, text, signal),
      enabled: text.length >= LETTERS_BEFORE_ASKING,
      staleTime: 30_000,
    })),
  });
  return finders.flatMap((finder, index) => {
    const rows = answers[index]?.data;
    return rows === undefined || rows.length === 0 ? [] : [{ finder, rows }];
  });
}
