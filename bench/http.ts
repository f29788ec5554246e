import { testOrganization } from '../test/harness/accounts.ts';
import { defineBench } from './frame/define-bench.ts';

/** What the frame around every route costs. */
export default defineBench('http', {
  async setup(frame) {
    const baseline = await frame.startBaseline('raw-http.ts');
    const service = await frame.startService();
    const { owner } = await testOrganization(service.sql);
    return { baselineUrl: baseline.baseUrl, serviceUrl: service.baseUrl, token: owner.token };
  },
  cases: [
    {
      name: 'raw node:http',
      load: ({ baselineUrl }) => ({ baseUrl: baselineUrl, request: { path: '/api/v1/ping' } }),
    },
    {
      name: 'GET /ping',
      baseline: 'raw node:http',
      target: 0.85,
      load: ({ serviceUrl }) => ({ baseUrl: serviceUrl, request: { path: '/api/v1/ping' } }),
    },
    {
      name: 'GET /auth/credentials',
      baseline: 'GET /ping',
      target: 0.35,
      load: ({ serviceUrl, token }) => ({
        baseUrl: serviceUrl,
        request: { path: '/api/v1/auth/credentials', headers: { Authorization: `Bearer ${token}` } },
      }),
    },
  ],
});
