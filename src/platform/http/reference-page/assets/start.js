// Light or dark as the console has it, else as the system; chosen here, it is chosen there.
const kept = (() => {
  try {
    return localStorage.getItem('dukkan.theme');
  } catch {
    return null;
  }
})();
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
let theme = kept === 'light' || kept === 'dark' ? kept : system;

function show(next) {
  theme = next;
  document.documentElement.dataset.theme = next;
  document.body.classList.toggle('dark-mode', next === 'dark');
  document.body.classList.toggle('light-mode', next !== 'dark');
}
show(theme);
document.querySelector('#theme').addEventListener('click', () => {
  show(theme === 'dark' ? 'light' : 'dark');
  try {
    localStorage.setItem('dukkan.theme', theme);
  } catch {
    // Kept for this page alone.
  }
});

// Nothing leaves this host: no fonts, no proxy, no telemetry, no assistant.
const place = document.querySelector('#reference');
window.Scalar.createApiReference('#reference', {
  url: place.dataset.description,
  metaData: { title: place.dataset.title },
  favicon: place.dataset.icon,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  darkMode: theme === 'dark',
  // The colours are those of page.css.
  theme: 'none',
  layout: 'modern',
  searchHotKey: 'k',
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
});
// Scalar remembers a mode of its own, which is not this one.
show(theme);
