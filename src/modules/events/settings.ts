const KB = 1024;
const MB = 1024 * KB;

/** Resource limits of feed readers, per process. */
export type FeedSettings = {
  streamsPerTenant: number;
  streams: number;
  pollsPerTenant: number;
  polls: number;
  /** Concurrent reads of a tenant's requests, and how long a read waits for a slot. */
  readsPerTenant: number;
  readPatienceMs: number;
  /** Concurrent tenant reads, each made once for all streams and polls of the tenant. */
  sharedReads: number;
  /** Bodies of a page. An order has at most 256 kB, so 500 of them would be 128 MB. */
  pageBytes: number;
  /** Bytes that a stream holds at once, besides those in its socket. */
  streamBytes: number;
  /** Events that were read for all readers of a tenant are cached up to these sizes. */
  cachedBytesPerTenant: number;
  cachedBytes: number;
  /** Proxies cut connections that are silent for a minute. */
  heartbeatMs: number;
  /** A stream whose client takes nothing for this long is closed. */
  stalledReaderMs: number;
  /** Readers woken per event loop tick. */
  readersAtOnce: number;
  /** After a delivery a tenant with more readers is not read for this long per reader, up to the longest pause. */
  pausePerReaderMs: number;
  longestPauseMs: number;
  /** Bytes written to streams and not yet taken by clients. At the limit the slowest readers are closed. */
  unsentBytesPerTenant: number;
  unsentBytes: number;
  /** Notifications may get lost: waiting readers trigger a read when the last one is older than this. */
  refreshAfterMs: number;
};

export const FEED_SETTINGS: FeedSettings = {
  streamsPerTenant: 100,
  streams: 2_000,
  pollsPerTenant: 100,
  polls: 2_000,
  readsPerTenant: 4,
  readPatienceMs: 10_000,
  sharedReads: 4,
  pageBytes: 4 * MB,
  streamBytes: 256 * KB,
  cachedBytesPerTenant: 4 * MB,
  cachedBytes: 64 * MB,
  heartbeatMs: 15_000,
  stalledReaderMs: 60_000,
  readersAtOnce: 16,
  pausePerReaderMs: 1,
  longestPauseMs: 100,
  unsentBytesPerTenant: 8 * MB,
  unsentBytes: 64 * MB,
  refreshAfterMs: 5_000,
};
