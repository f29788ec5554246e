/** A call to the vendor, relative to `api_base_url`. Where it goes is checked, and bounded, by whoever makes it. */
export type VendorCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash. Ids in it through `encodeURIComponent`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /**
   * Whether doing it twice is the same as doing it once, so that a call without an answer may be made again. GET, PUT and
   * DELETE are, unless it says otherwise.
   */
  isRepeatable?: boolean;
};

/** Of a call that the vendor accepted (2xx). */
export type VendorAnswer = {
  status: number;
  /** Digits intact; nothing where the body is no JSON. */
  json: unknown;
};

/** Calls one install's vendor with the credentials of its settings. */
export type VendorClient = {
  /** Rejects with VendorRefused, VendorUnavailable or MissingCredentials, and with nothing else. */
  call(call: VendorCall): Promise<VendorAnswer>;
};

/** The vendor said no (4xx): asking again will not help. */
export class VendorRefused extends Error {
  readonly vendorStatus: number;

  constructor(vendorStatus: number, message: string) {
    super(message);
    this.vendorStatus = vendorStatus;
  }
}

/** No answer, or one that says it is the vendor's own trouble (5xx, 408, 429). */
export class VendorUnavailable extends Error {
  /** The request may have arrived and been carried out. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, mayHaveArrived: boolean) {
    super(message);
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The answers are larger than what they are for may be: asking again gives the same. */
export class VendorAnswerTooLarge extends VendorUnavailable {}

/** A setting without which the vendor cannot be called is not there. */
export class MissingCredentials extends Error {
  readonly setting: string;

  constructor(setting: string) {
    super(`The setting ${setting} is needed to call the vendor`);
    this.setting = setting;
  }
}

/** What an install's calls carry. */
export type Credentials =
  | { kind: 'headers'; headers: Readonly<Record<string, string>> }
  /** A token has to be fetched first; it is kept until shortly before it ends. */
  | {
      kind: 'token';
      /** Relative to `api_base_url`, unless `baseUrl` says otherwise. */
      request: VendorCall & { baseUrl?: string };
      /** Throws Unreadable where the answer has none. */
      read(answer: VendorAnswer): { headers: Readonly<Record<string, string>>; livesForSeconds: number };
    }
  | { kind: 'missing'; setting: string };
