// For containers: exit code 0 while /health answers 200. A process without the API role answers on its metrics port.
const { DUKKAN_ROLES = 'api,worker', PORT = '8080', METRICS_PORT = '9464' } = process.env;
const port = DUKKAN_ROLES.includes('api') ? PORT : METRICS_PORT;
const isHealthy = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(4_000) }).then(
  (response) => response.ok,
  () => false,
);
process.exitCode = isHealthy ? 0 : 1;
