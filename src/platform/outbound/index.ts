/** Calls to addresses that strangers chose. */
export { type Network, parseNetworks } from './address-policy.ts';
export { createSender, type PostOutcome, type PostRequest, type Sender, type SenderOptions } from './post.ts';
export { isLasting, isTooLarge, type OutboundRequest, type RequestOutcome } from './request.ts';
export { createHostResolver, type Resolve } from './resolve-host.ts';
export { type CheckedUrl, checkRegistration } from './target-url.ts';
