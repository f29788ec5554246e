import type { FastifyBaseLogger } from 'fastify';
import { request } from 'undici';
import type { Attributes, Span } from './span.ts';

export type Exporter = {
  add(span: Span): void;
  /** Sends what is queued, once. */
  stop(): Promise<void>;
  /** Spans that found the queue full, or that the collector did not take. */
  dropped(): number;
};

export type ExporterOptions = {
  /** The full address, such as http://127.0.0.1:4318/v1/traces. */
  url: string;
  headers: Record<string, string>;
  resource: Attributes;
  log: FastifyBaseLogger;
  everyMs: number;
};

const MAX_QUEUED = 4_096;
const BATCH = 512;
const TIMEOUT_MS = 5_000;

/**
 * OTLP over HTTP with JSON. A collector that is slow or away costs spans, never requests: the queue is bounded, one batch is under way at a
 * time, and a batch that fails is not sent again.
 */
export function createExporter({ url, headers, resource, log, everyMs }: ExporterOptions): Exporter {
  let queue: Span[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  let hasFailed = false;

  async function send(batch: Span[]): Promise<void> {
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toOtlp(batch, resource)),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`it answered ${statusCode}`);
      hasFailed = false;
    } catch (error) {
      dropped += batch.length;
      // Once for an outage, not every five seconds.
      if (!hasFailed) log.warn(`Traces are lost: the collector at ${url} cannot be used (${(error as Error).message})`);
      hasFailed = true;
    }
  }

  function flush(): Promise<void> {
    sending ??= (async () => {
      while (queue.length > 0) await send(queue.splice(0, BATCH));
    })().finally(() => {
      sending = undefined;
    });
    return sending;
  }
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    add(span) {
      if (queue.length >= MAX_QUEUED) dropped += 1;
      else if (queue.push(span) === BATCH) void flush();
    },
    async stop() {
      clearInterval(timer);
      await flush();
      queue = [];
    },
    dropped: () => dropped,
  };
}

const STATUS_ERROR = 2;
const MAX_ATTRIBUTE_CHARACTERS = 1_000;

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export function toOtlp(spans: readonly Span[], resource: Attributes) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [
          {
            scope: { name: 'dukkan' },
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: span.kind,
              startTimeUnixNano: toNanoseconds(span.startMs),
              endTimeUnixNano: toNanoseconds(span.endMs),
              attributes: toAttributes(span.attributes),
              ...(span.error !== undefined && { status: { code: STATUS_ERROR, message: cut(span.error) } }),
            })),
          },
        ],
      },
    ],
  };
}

type OtlpAttribute = { key: string; value: Record<string, string | number | boolean> };

function toAttributes(attributes: Attributes): OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([key, value]): OtlpAttribute[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: cut(value) } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

function cut(text: string): string {
  return text.slice(0, MAX_ATTRIBUTE_CHARACTERS);
}

/** As text: nanoseconds since 1970 do not fit a number. */
function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
