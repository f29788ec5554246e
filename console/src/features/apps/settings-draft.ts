/** The subset of JSON Schema that app settings use. */
export type Setting = {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  title?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  /** A secret that calls to the vendor carry. */
  'x-sent-to-vendor'?: boolean;
};
export type SettingsSchema = { properties: Record<string, Setting>; required: readonly string[] };

/** The values of the form. Null removes a secret. */
export type DraftValue = string | boolean | readonly string[] | Readonly<Record<string, string>> | null;
export type Draft = Readonly<Record<string, DraftValue>>;

export function readSchema(schema: Record<string, unknown>): SettingsSchema {
  return {
    properties: (schema.properties ?? {}) as SettingsSchema['properties'],
    required: (schema.required ?? []) as SettingsSchema['required'],
  };
}

/** Secrets start empty: stored values are not sent to the console. */
export function draftOf(schema: SettingsSchema, secrets: readonly string[], stored: Record<string, unknown>): Draft {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, setting]) => [
      name,
      secrets.includes(name) ? '' : shown(setting, stored[name]),
    ]),
  );
}

export function withoutSecrets(secrets: readonly string[], draft: Draft): Draft {
  return { ...draft, ...Object.fromEntries(secrets.filter((name) => name in draft).map((name) => [name, ''])) };
}

function shown(setting: Setting, value: unknown): DraftValue {
  if (setting.type === 'boolean') return value === true;
  if (setting.type === 'array') return Array.isArray(value) ? value.map(String) : [];
  if (setting.type === 'object')
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
  return value === undefined || value === null ? '' : String(value);
}

/** The changed settings; null for cleared ones. */
export function changesIn(
  schema: SettingsSchema,
  secrets: readonly string[],
  stored: Record<string, unknown>,
  draft: Draft,
): Record<string, unknown> {
  const before = draftOf(schema, secrets, stored);
  const changes: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(schema.properties)) {
    const value = draft[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(before[name])) continue;
    const sent = toSend(setting, value);
    if (sent !== null || name in stored) changes[name] = sent;
  }
  return changes;
}

function toSend(setting: Setting, value: DraftValue): unknown {
  if (value === null || value === '') return null;
  if (typeof value === 'string') {
    const text = value.trim();
    const isNumber = setting.type === 'number' || setting.type === 'integer';
    // An invalid number is sent as text: the service returns the error.
    return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const lines = value.map((line: string) => line.trim()).filter((line: string) => line !== '');
    return lines.length === 0 ? null : lines;
  }
  return Object.keys(value).length === 0 ? null : value;
}

const ADDRESSES: readonly string[] = ['api_base_url', 'notification_url'];

/** Addresses and secrets: the service takes a change of them from owners only. */
export function isForOwners(name: string, secrets: readonly string[]): boolean {
  return ADDRESSES.includes(name) || secrets.includes(name);
}

/**
 * Stored secrets that have to be entered again because the draft's address is another host than the one they were entered for.
 * Secrets that the draft sets or removes are not included.
 */
export function secretsToRepeat(schema: SettingsSchema, stored: Record<string, unknown>, draft: Draft): string[] {
  const usual = schema.properties.api_base_url?.default;
  const originOf = (address: unknown) => {
    const text = typeof address === 'string' && address.trim() !== '' ? address.trim() : String(usual ?? '');
    return URL.canParse(text) ? new URL(text).origin : text;
  };
  if (originOf(draft.api_base_url) === originOf(stored.api_base_url)) return [];
  return Object.entries(schema.properties)
    .filter(([name, setting]) => setting['x-sent-to-vendor'] === true && name in stored && draft[name] === '')
    .map(([name]) => name);
}
