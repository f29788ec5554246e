import { ConfigError, type SettingReader } from '../../platform/config.ts';
import { parseNetworks } from '../../platform/outbound/address-policy.ts';
import { parseRetryDelays } from '../../platform/work-queue/index.ts';

export type WebhookSettings = {
  /** Networks that may be called although they are not public. */
  allowedNetworks: string;
  caFile: string | undefined;
  retryDelaysSeconds: number[];
  /** How long a claim lasts. Longer than the deadline of a request, or two processes could send a delivery at once. */
  leaseSeconds: number;
};

export function readWebhookSettings({ text, integer, readableFile }: SettingReader): WebhookSettings {
  return {
    allowedNetworks: readNetworks(text('WEBHOOK_ALLOWED_NETWORKS', '')),
    caFile: readableFile('WEBHOOK_CA_FILE'),
    retryDelaysSeconds: parseRetryDelays(
      'WEBHOOK_RETRY_DELAYS',
      text('WEBHOOK_RETRY_DELAYS', '10,60,300,1800,7200,28800,86400'),
    ),
    leaseSeconds: integer('WEBHOOK_LEASE_SECONDS', 30, 11, 3600),
  };
}

function readNetworks(raw: string): string {
  try {
    parseNetworks(raw);
  } catch (error) {
    throw new ConfigError(`WEBHOOK_ALLOWED_NETWORKS: ${error instanceof Error ? error.message : error}`);
  }
  return raw;
}
