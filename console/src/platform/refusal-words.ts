type RefusalWords = typeof import('../i18n/refusals/index.ts');

let loaded: RefusalWords | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the texts of refusals: 6 kB that most visits do not need. Called before a refusal reaches the page that asked
 * (`scoped-client.ts`), so that `refusalWords` has them when it is shown, and by forms that are sent without a session.
 */
export function loadRefusalWords(): Promise<void> {
  loading ??= import('../i18n/refusals/index.ts').then(
    (words) => {
      loaded = words;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

export const refusalWords = (): RefusalWords | undefined => loaded;
