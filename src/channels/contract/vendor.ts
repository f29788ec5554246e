/** A call to the vendor, relative to `api_base_url`. The client checks the address and enforces limits. */
export type VendorCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts with a slash. Encode ids with `encodeURIComponent`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /**
   * Whether the call is idempotent, so that it may be repeated after a lost response. Default: true for GET, PUT and DELETE.
   */
  isRepeatable?: boolean;
};

/** The response to a call that the vendor accepted (2xx). */
export type VendorAnswer = {
  status: number;
  /** Digits intact; undefined if the body is not JSON. */
  json: unknown;
};

/** Calls one install's vendor with the credentials of its settings. */
export type VendorClient = {
  /** Rejects only with VendorRefused, VendorUnavailable or MissingCredentials. */
  call(call: VendorCall): Promise<VendorAnswer>;
};

/** The vendor refused the call (4xx): a retry does not help. */
export class VendorRefused extends Error {
  readonly vendorStatus: number;

  constructor(vendorStatus: number, message: string) {
    super(message);
    this.vendorStatus = vendorStatus;
  }
}

/** No response, or a transient error of the vendor (5xx, 408, 429). */
export class VendorUnavailable extends Error {
  /** The request may have arrived and been carried out. */
  readonly mayHaveArrived: boolean;
  /** The vendor has answered, so the request is not carried out later either. */
  readonly hasAnswered: boolean;

  constructor(message: string, mayHaveArrived: boolean, hasAnswered = false) {
    super(message);
    this.mayHaveArrived = mayHaveArrived;
    this.hasAnswered = hasAnswered;
  }
}

/** The responses exceed the limits of the client: a retry gives the same result. */
export class VendorAnswerTooLarge extends VendorUnavailable {}

/** A setting that is required to call the vendor is missing. */
export class MissingCredentials extends Error {
  readonly setting: string;

  constructor(setting: string) {
    super(`The setting ${setting} is needed to call the vendor`);
    this.setting = setting;
  }
}

/** A secret that was set for one origin would be sent to another. */
export class CredentialsOfAnotherOrigin extends MissingCredentials {
  constructor(setting: string, boundTo: string, origin: string) {
    super(setting);
    const given = boundTo === '' ? 'without an address' : `for ${boundTo}`;
    this.message = `The setting ${setting} was given ${given} and is not sent to ${origin}: set it again`;
  }
}

/** The credentials of an install's calls. */
export type Credentials =
  | { kind: 'headers'; headers: Readonly<Record<string, string>> }
  /** A token is fetched first, and cached until shortly before it expires. */
  | {
      kind: 'token';
      /** Relative to `api_base_url`, unless `baseUrl` says otherwise. */
      request: VendorCall & { baseUrl?: string };
      /** Throws Unreadable if the response has no token. */
      read(answer: VendorAnswer): { headers: Readonly<Record<string, string>>; livesForSeconds: number };
    }
  | { kind: 'missing'; setting: string };
