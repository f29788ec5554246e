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
  theme: 'default',
  layout: 'modern',
  searchHotKey: 'k',
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
});
