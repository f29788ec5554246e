import { findApp } from '../apps/index.ts';

/** The bytes as text, without tokens and signatures: a reader of payloads could otherwise forge calls of the vendor. */
export function shownPayload({ app_slug, payload }: { app_slug: string; payload: Buffer }): string {
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
