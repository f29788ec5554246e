/**
 * All settings of apps, with the same name everywhere. An app accepts some of them; its own files define their meaning. The
 * schemas are the JSON Schema in the catalog and the validation of an install.
 */
export const SETTING_SCHEMAS = {
  webhook_secret: { type: 'string', minLength: 1, maxLength: 4096, title: 'Secret that verifies incoming calls' },
  webhook_header: {
    type: 'string',
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
    title: 'The header that carries the secret',
  },
  notification_url: { type: 'string', maxLength: 2000, title: 'The address as the vendor signs it; empty for our own' },
  api_base_url: { type: 'string', maxLength: 2000, title: "Where the vendor's interface is" },
  access_token: { type: 'string', minLength: 1, maxLength: 4096, title: 'What our calls to the vendor carry' },
  client_id: { type: 'string', minLength: 1, maxLength: 500, title: 'Our name at the vendor' },
  client_secret: { type: 'string', minLength: 1, maxLength: 4096, title: 'The secret that goes with it' },
  merchant_code: { type: 'string', minLength: 1, maxLength: 200, title: "The merchant's code or public key" },
  chain_id: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^/?#\\\\]+$', title: 'The chain' },
  shop_id: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^/?#\\\\]+$', title: 'The shop' },
  sandbox: { type: 'boolean', title: 'Pretend: no money moves' },
  branch_iv_id: { type: 'string', minLength: 1, maxLength: 200, title: 'The branch of orders that name none' },
  branches: {
    type: 'object',
    maxProperties: 2000,
    additionalProperties: { type: 'string', minLength: 1, maxLength: 200 },
    title: "Our branches by the vendor's ids of its stores",
  },
  completed_means: { type: 'string', enum: ['delivered', 'dispatched'], title: 'What "completed" says of an order' },
  time_zone: { type: 'string', minLength: 1, maxLength: 100, title: 'Of times that come without a zone' },
} as const;

export type SettingName = keyof typeof SETTING_SCHEMAS;

export const SETTING_NAMES = Object.keys(SETTING_SCHEMAS) as SettingName[];

/** Encrypted like all settings; in addition, responses show their last four characters only. */
export const SECRET_SETTINGS = ['webhook_secret', 'access_token', 'client_secret'] as const satisfies SettingName[];

export type AppSettings = {
  readonly webhook_secret?: string;
  readonly webhook_header?: string;
  readonly notification_url?: string;
  readonly api_base_url?: string;
  readonly access_token?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly merchant_code?: string;
  readonly chain_id?: string;
  readonly shop_id?: string;
  readonly sandbox?: boolean;
  readonly branch_iv_id?: string;
  readonly branches?: Readonly<Record<string, string>>;
  readonly completed_means?: 'delivered' | 'dispatched';
  readonly time_zone?: string;
};
