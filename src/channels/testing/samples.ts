import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseExactJson } from '../../platform/inbound/index.ts';

/**
 * Public sample payloads of vendors from a folder outside the repository. They are not redistributable: tests use them if present,
 * and synthetic payloads otherwise.
 */
const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/vendors/samples');

// biome-ignore lint/suspicious/noExplicitAny: what a vendor sends has no shape of ours.
export type Sample = { name: string; bytes: Buffer; json: any };

export function samplesOf(vendor: string): Sample[] {
  const folder = path.join(process.env.VENDOR_SAMPLES ?? FOLDER, vendor);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const bytes = readFileSync(path.join(folder, name));
      return { name, bytes, json: parseExactJson(bytes) };
    });
}
