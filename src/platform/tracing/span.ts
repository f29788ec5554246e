export type Attributes = Record<string, string | number | boolean | undefined>;

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  error: string | undefined;
};
