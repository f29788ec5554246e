/** HTTP calls to URLs that tenants chose, protected against SSRF. */
export { parseNetworks } from './address-policy.ts';
export { createSender, type Sender } from './post.ts';
export { isLasting, isTooLarge, type RequestOutcome } from './request.ts';
