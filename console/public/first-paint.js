// Language, direction and theme before anything is painted. A file of its own, because the policy allows no inline script.
(() => {
  const root = document.documentElement;
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const language = read('dukkan.language') ?? (navigator.language.startsWith('ar') ? 'ar' : 'en');
  root.lang = language === 'ar' ? 'ar' : 'en';
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
  const theme = read('dukkan.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
})();
