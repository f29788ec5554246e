import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import type { App, AppSettings, SignatureContext, StagedCall } from '../contract.ts';

/** Whether an app verifies this call. */
export function isVerified(app: App, settings: AppSettings, body: unknown, more: Partial<StagedCall> = {}): boolean {
  const context: SignatureContext = { settings, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };
  if (app.inbound === undefined) throw new Error(`${app.slug} has no incoming calls`);
  return app.inbound.verify(callOf(body, more), context);
}
