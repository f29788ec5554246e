export type Request = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | object;
};

/** Makes the requests of one run; called once a run, then once a request. */
export type RequestMaker<Params> = (params: Params) => () => Request;

/** Instructions for the generator. They cross a process boundary and hold data only: a maker is named, not passed. */
export type LoadPlan = {
  baseUrl: string;
  connections?: number;
  /** Arrivals a second, whatever the server does; latency then counts from the due time. Absent: as fast as answers come. */
  arrivalsPerSecond?: number;
  /** Answers that count; any other status is a failure. */
  expect?: number[];
} & (
  | { request: Request }
  /** `module` is `import.meta.url` of the file that exports the maker under `maker`. */
  | { module: string; maker: string; params?: unknown }
);

/** One measurement of one case. */
export type Sample = {
  count: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  /** By status code; `error` for connections that broke. */
  statuses?: Record<string, number>;
  firstFailure?: string;
  /** Share of one core that the generator used: near 1, it is the generator that was measured. */
  generatorCpu?: number;
  /** CPU of the answering process for one request, its database not included. Neighbours on the machine hardly move it. */
  serverCpuUs?: number;
};

export const DEFAULT_CONNECTIONS = 32;
