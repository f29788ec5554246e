import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Exporter } from './exporter.ts';
import type { Attributes, Span } from './span.ts';

/** https://opentelemetry.io/docs/specs/otel/trace/api/#spankind */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

type Tracing = { exporter: Exporter; sampledShare: number };

/** Undefined: off. Then a span costs the comparison, and nothing is carried along. */
let tracing: Tracing | undefined;
const spans = new AsyncLocalStorage<Span | 'not sampled'>();

export function startTracing(next: Tracing): void {
  tracing = next;
}

export async function stopTracing(): Promise<void> {
  const stopped = tracing;
  tracing = undefined;
  await stopped?.exporter.stop();
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Runs `work` inside a span. A child of the current one, or the root of a new trace. */
export function traced<T>(name: string, kind: number, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (tracing === undefined) return work();
  const span = startSpan(name, kind, attributes);
  if (span === undefined) return spans.run('not sampled', work);
  return spans.run(span, work).then(
    (result) => {
      endSpan(span);
      return result;
    },
    (error: unknown) => {
      endSpan(span, error instanceof Error ? error.message : String(error));
      throw error;
    },
  );
}

/** For code that is called back rather than awaited. Undefined when the trace is not sampled. */
export function startSpan(
  name: string,
  kind: number,
  attributes: Attributes,
  remote?: TraceParent | 'not sampled',
): Span | undefined {
  if (tracing === undefined) return undefined;
  const current = spans.getStore();
  if (current === 'not sampled' || remote === 'not sampled') return undefined;
  if (current === undefined && remote === undefined && Math.random() >= tracing.sampledShare) return undefined;
  const parent = current ?? remote;
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: parent?.spanId,
    name,
    kind,
    startMs: now(),
    endMs: 0,
    attributes,
    error: undefined,
  };
}

export function runInSpan<T>(span: Span | undefined, work: () => T): T {
  return spans.run(span ?? 'not sampled', work);
}

export function endSpan(span: Span, error?: string): void {
  span.endMs = now();
  span.error = error;
  tracing?.exporter.add(span);
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

type TraceParent = { traceId: string; spanId: string };

/** https://www.w3.org/TR/trace-context/#traceparent-header. A trace that its caller does not sample is not sampled here either. */
export function parseTraceParent(header: unknown): TraceParent | 'not sampled' | undefined {
  const [, traceId, spanId, flags = '00'] = (typeof header === 'string' && TRACE_PARENT.exec(header)) || [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId)) return undefined;
  return (Number.parseInt(flags, 16) & 1) === 1 ? { traceId, spanId } : 'not sampled';
}
