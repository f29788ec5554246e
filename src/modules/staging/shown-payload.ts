import { findApp } from '../apps/index.ts';

/** The bytes as text, without what proved the call: who may read payloads could otherwise send some in the vendor's name. */
export function shownPayload({ app_slug, payload }: { app_slug: string; payload: Buffer }): string {
  let text = payload.toString('utf8');
  for (const name of findApp(app_slug)?.inbound?.secretFields ?? []) {
    text = text.replace(new RegExp(`("${name}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'g'), '$1"***"');
  }
  return text;
}
