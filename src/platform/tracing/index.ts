export { createExporter } from './exporter.ts';
export { readTracingSettings, type TracingSettings } from './settings.ts';
export { traceRequests } from './trace-requests.ts';
export { isTracing, SPAN_KIND, startTracing, stopTracing, traced } from './tracing.ts';
