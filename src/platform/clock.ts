/** The service's only source of time, so that tests can move it. */
export type Clock = { now(): Date; nowNanoseconds(): bigint };

const bootEpochNs = BigInt(Date.now()) * 1_000_000n;
const bootMonotonicNs = process.hrtime.bigint();

/**
 * System time at nanosecond resolution: Date.now() steps in milliseconds, so two envelopes of one millisecond would have the
 * same timestamp. The monotonic counter supplies the digits below it and is re-anchored when the system time changes by
 * more than five milliseconds.
 */
export function systemClock(): Clock {
  let anchorEpochNs = bootEpochNs;
  let anchorMonotonicNs = bootMonotonicNs;
  return {
    now: () => new Date(),
    nowNanoseconds() {
      const monotonicNs = process.hrtime.bigint();
      const derivedNs = anchorEpochNs + (monotonicNs - anchorMonotonicNs);
      const wallNs = BigInt(Date.now()) * 1_000_000n;
      const driftNs = wallNs - derivedNs;
      if (driftNs > 5_000_000n || driftNs < -5_000_000n) {
        anchorEpochNs = wallNs;
        anchorMonotonicNs = monotonicNs;
        return wallNs;
      }
      return derivedNs;
    },
  };
}

export type MovableClock = Clock & { moveTo(instant: Date): void; advanceMs(ms: number): void };

/** A clock that stands still until it is moved. */
export function movableClock(start: Date): MovableClock {
  let currentMs = start.getTime();
  return {
    now: () => new Date(currentMs),
    nowNanoseconds: () => BigInt(currentMs) * 1_000_000n,
    moveTo(instant) {
      currentMs = instant.getTime();
    },
    advanceMs(ms) {
      currentMs += ms;
    },
  };
}

/** RFC 3339 with nine fractional digits, in UTC. */
export function formatNanoseconds(epochNs: bigint): string {
  const ms = Number(epochNs / 1_000_000n);
  const belowMs = (epochNs % 1_000_000n).toString().padStart(6, '0');
  return `${new Date(ms).toISOString().slice(0, -1)}${belowMs}Z`;
}
