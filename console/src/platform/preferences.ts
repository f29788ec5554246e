import type { Language } from '../i18n/index.ts';
import { onStoredElsewhere, readStored, writeStored } from './local-storage.ts';
import { createStore, useStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

// The page has set the language of the document before anything was painted (public/first-paint.js).
const language = createStore<Language>(document.documentElement.lang === 'ar' ? 'ar' : 'en');
const theme = createStore<Theme>(asTheme(readStored('theme')));

onStoredElsewhere((name, value) => {
  if (name === 'language') showLanguage(value === 'ar' ? 'ar' : 'en');
  if (name === 'theme') showTheme(asTheme(value));
});

export const useChosenLanguage = () => useStore(language);
export const useTheme = () => useStore(theme);
export const currentLanguage = () => language.get();

export function chooseLanguage(next: Language): void {
  writeStored('language', next);
  showLanguage(next);
}

export function chooseTheme(next: Theme): void {
  writeStored('theme', next === 'system' ? null : next);
  showTheme(next);
}

function showLanguage(next: Language): void {
  const { documentElement: root } = document;
  root.lang = next;
  root.dir = next === 'ar' ? 'rtl' : 'ltr';
  language.set(next);
}

function showTheme(next: Theme): void {
  const { documentElement: root } = document;
  if (next === 'system') delete root.dataset.theme;
  else root.dataset.theme = next;
  theme.set(next);
}

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
