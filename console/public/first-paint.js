// Before anything is painted: language, direction and theme. A file of its own, because the policy allows no inline script.
(() => {
  const root = document.documentElement;
  const readFrom = (storage, name) => {
    try {
      return window[storage].getItem(name);
    } catch {
      return null;
    }
  };
  const language = readFrom('localStorage', 'dukkan.language') ?? (navigator.language.startsWith('ar') ? 'ar' : 'en');
  root.lang = language === 'ar' ? 'ar' : 'en';
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
  const theme = readFrom('localStorage', 'dukkan.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

  const isSignedIn = readFrom('localStorage', 'dukkan.signed-in') !== null;
  void runChunks();
  if (!isSignedIn) return;
  root.dataset.signedIn = '';
  // The first use of dates takes 13 ms: while the scripts are loaded, not when they run.
  setTimeout(() => new Intl.DateTimeFormat(root.lang));

  // The first two requests of every page, while the scripts are loaded (src/platform/early-session.ts). Before the files below, which would take
  // all connections.
  if (navigator.locks !== undefined && readFrom('sessionStorage', 'dukkan.support') === null) requestSession();

  // What index.html preloads, each in a task of its own. The build fills in the list; without a build index.html starts the scripts.
  async function runChunks() {
    const chunks = [];
    if (isSignedIn && document.visibilityState === 'visible') await firstPaint();
    for (const chunk of chunks) {
      if (chunk === chunks.at(-1)) {
        preloadFonts();
        await pageAndStyles();
      }
      await import(chunk);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  // When the scripts have come, before the last of them renders: on a fast connection the fonts are there with the first text, on a slow one the text does
  // not wait for them. The build fills in the list, from index.html.
  function preloadFonts() {
    const fonts = [];
    for (const href of fonts) {
      const link = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href };
      document.head.append(Object.assign(document.createElement('link'), link));
    }
  }

  // The frame of index.html: without this, a slow machine compiled scripts before it painted anything. No frame comes in a window that is covered.
  function firstPaint() {
    return new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 500);
    });
  }

  // The last chunk renders, and measures what it renders.
  async function pageAndStyles() {
    const when = (target, ...names) =>
      new Promise((resolve) => {
        for (const name of names) target.addEventListener(name, resolve);
      });
    if (document.readyState === 'loading') await when(document, 'DOMContentLoaded');
    const styles = document.querySelector('link[rel="stylesheet"]');
    if (styles !== null && styles.sheet === null) await when(styles, 'load', 'error');
  }

  function requestSession() {
    const bodyOf = async (answer) => ((await answer).ok ? (await answer).json() : null);
    const ask = (path, options) => bodyOf(fetch(`/api/v1/auth/${path}`, options)).catch(() => null);
    const login = navigator.locks.request('dukkan refresh', () =>
      ask('refresh', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json', 'x-session': 'cookie' },
        body: '{}',
      }),
    );
    const account = login.then(
      (answer) => answer && ask('account', { headers: { authorization: `Bearer ${answer.access_token}` } }),
    );
    window.dukkanEarly = { login, account };
  }

  // The scripts and styles of the page, which would otherwise be found after the first ones have run. The build fills in the list.
  const pages = {};
  for (const href of pages[location.pathname] ?? []) {
    const isStyle = href.endsWith('.css');
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: isStyle ? 'preload' : 'modulepreload',
        ...(isStyle && { as: 'style' }),
        crossOrigin: '',
        href,
      }),
    );
  }
})();
