import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';

/** PEM of certificate authorities to trust in addition to the built-in ones. */
export function readExtraCa(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const text = readFileSync(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    throw new ConfigError(
      `WEBHOOK_CA_FILE is not a PEM certificate: ${error instanceof Error ? error.message : error}`,
    );
  }
}
