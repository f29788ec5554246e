import { testOrganization } from '../test/harness/accounts.ts';
import { defineBench } from './frame/define-bench.ts';

/** What the frame around every route costs. */
export default defineBench('http', {
  async setup(frame) {
    const floor = await frame.startFloor('raw-http.ts');
    const service = await frame.startService();
    const { owner } = await testOrganization(service.sql);
    return { floorUrl: floor.baseUrl, serviceUrl: service.baseUrl, token: owner.token };
  },
  cases: [
    {
      name: 'raw node:http',
      load: ({ floorUrl }) => ({ baseUrl: floorUrl, request: { path: '/api/v1/ping' } }),
    },
    {
      name: 'GET /ping',
      floor: 'raw node:http',
      target: 0.75,
      load: ({ serviceUrl }) => ({ baseUrl: serviceUrl, request: { path: '/api/v1/ping' } }),
    },
    {
      name: 'GET /auth/credentials',
      floor: 'GET /ping',
      target: 0.35,
      load: ({ serviceUrl, token }) => ({
        baseUrl: serviceUrl,
        request: { path: '/api/v1/auth/credentials', headers: { Authorization: `Bearer ${token}` } },
      }),
    },
  ],
});
