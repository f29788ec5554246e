import type { PostOutcome, PostRequest, Sender } from '../../platform/outbound/post.ts';

/** Answers requests to addresses of its own, without the network. Undefined for all others. */
export type LocalReceiver = (request: PostRequest, now: Date) => PostOutcome | undefined;

/** The sender, except that a local receiver answers what is addressed to it. */
export function withLocalReceiver(sender: Sender, receive: LocalReceiver | undefined, now: () => Date): Sender {
  if (receive === undefined) return sender;
  return { ...sender, post: async (request) => receive(request, now()) ?? sender.post(request) };
}
