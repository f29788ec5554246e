/** Loaded when an operator enters or leaves an organization: no other page needs it. */
const visits = () => import('./support-visit.ts');

export const openSupport = async (organizationId: string) => (await visits()).openSupport(organizationId);
export const leaveSupport = async (organizationId: string) => (await visits()).leaveSupport(organizationId);
/** After a reload: the tab stays inside the organization. */
export const resumeSupport = async (organizationId: string) => (await visits()).resumeSupport(organizationId);
