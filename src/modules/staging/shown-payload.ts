import { findApp } from '../apps/index.ts';
import type { StagedCallRow } from './staged-payload.ts';

type Shown = Pick<StagedCallRow, 'payload' | 'original_payload' | 'mended_by' | 'mended_at'> & { app_slug: string };

export function payloadShape({ app_slug, payload, original_payload, mended_by, mended_at }: Shown) {
  return {
    payload: shownPayload({ app_slug, payload }),
    original_payload: original_payload && shownPayload({ app_slug, payload: original_payload }),
    mended_by,
    mended_at: mended_at?.toISOString() ?? null,
  };
}

/** The bytes as text, without tokens and signatures: a reader of payloads could otherwise forge calls of the vendor. */
function shownPayload({ app_slug, payload }: { app_slug: string; payload: Buffer }): string {
  let text = payload.toString('utf8');
  for (const name of findApp(app_slug)?.inbound?.secretFields ?? []) {
    text = text.replace(new RegExp(`("${name}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'g'), '$1"***"');
  }
  return text;
}

export function shownHeaders({
  app_slug,
  headers,
}: {
  app_slug: string;
  headers: Readonly<Record<string, string>>;
}): Record<string, string> {
  const hidden = findApp(app_slug)?.inbound?.sealingHeaders ?? [];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hidden.includes(name)));
}
