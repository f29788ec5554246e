import type { FastifyRequest } from 'fastify';
import { hasGrant, RESOURCES, type Resource, type Tenant, tenantOf } from '../identity/index.ts';

/** The organization, and the resources the caller may read: sections show single records of other resources. */
export type DashboardViewer = Pick<Tenant, 'organizationId' | 'branchId' | 'timeZone'> & {
  readable: ReadonlySet<Resource>;
};

export function dashboardViewerOf(request: FastifyRequest): DashboardViewer {
  const { organizationId, branchId, timeZone } = tenantOf(request);
  const readable = new Set(RESOURCES.filter((resource) => hasGrant(request, 'read', resource)));
  return { organizationId, branchId, timeZone, readable };
}
