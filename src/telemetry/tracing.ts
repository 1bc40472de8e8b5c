import type { Context, Span, SpanKind } from '@opentelemetry/api';

/** Attributes of a span: templates of routes, kinds, tenants, counts and outcomes; never secrets, queries or names. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Adds attributes to the span of some work. */
export type NoteSpan = (facts: SpanFacts) => void;

/** The place of a span: at a door, within Dwell, or a call of another service. */
export type SpanPlace = 'door' | 'inside' | 'call';

/** The `traceparent` of a request (W3C Trace Context); absent: the trace begins here. */
interface TracedWork {
  readonly place?: SpanPlace;
  readonly traceparent?: string | undefined;
}

interface Tracing {
  run<Result>(name: string, facts: SpanFacts, work: (note: NoteSpan) => Result, how: TracedWork): Result;
  record(name: string, facts: SpanFacts, ms: number): void;
}

/**
 * The switch of the whole process, like the context of OpenTelemetry: the start sets it once, before anything is traced.
 * Null: nothing is traced.
 */
let tracing: Tracing | null = null;

const noNote: NoteSpan = () => {};

/** Runs work as a span of the trace it is in; where tracing is off, just runs it. */
export function traced<Result>(
  name: string,
  facts: SpanFacts,
  work: (note: NoteSpan) => Result,
  how: TracedWork = {},
): Result {
  return tracing === null ? work(noNote) : tracing.run(name, facts, work, how);
}

/** Returns true where spans are recorded. */
export function isTracing(): boolean {
  return tracing !== null;
}

/** Records a span that ends now and took this long (ms), such as a statement. */
export function recordSpan(name: string, facts: SpanFacts, ms: number): void {
  tracing?.record(name, facts, ms);
}

/** The packages that tracing needs, which are optional, in the versions that fit together. */
export const tracingPackages: Readonly<Record<string, string>> = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/context-async-hooks': '3.1.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/sdk-trace': '3.1.0',
};

/** The settings of tracing: the address that spans are sent to by OTLP over HTTP, and the headers of its requests. */
interface TracingTarget {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
}

/** A sentence about packages that are not installed, and the command that installs them. */
export const tracingMissing = `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed, so nothing is traced. Install them: npm install --no-save ${Object.entries(
  tracingPackages,
)
  .map(([name, version]) => `${name}@${version}`)
  .join(' ')}`;

/** Loads OpenTelemetry; null where a package is not installed. */
async function loadPackages() {
  try {
    const [api, contexts, exporter, resources, sdk] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
    ]);
    return { api, contexts, exporter, resources, sdk };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Begins to trace this process; resolves to what sends the last spans and ends it, or to null without the packages. */
export async function startTracing({
  endpoint,
  headers,
  version,
}: TracingTarget): Promise<(() => Promise<void>) | null> {
  const packages = await loadPackages();
  if (packages === null) return null;
  const { api, contexts, exporter, resources, sdk } = packages;
  const { context, trace, SpanStatusCode, TraceFlags } = api;
  const kinds: Readonly<Record<SpanPlace, SpanKind>> = {
    door: api.SpanKind.SERVER,
    inside: api.SpanKind.INTERNAL,
    call: api.SpanKind.CLIENT,
  };
  context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'dwell', 'service.version': version })),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } }),
      }),
    ],
  });
  const tracer = provider.getTracer('dwell', version);

  /** A span ends with its work, and has failed with it; the error itself may name things, and is in the log. */
  function ending<Result>(span: Span, work: () => Result): Result {
    const fail = (error: unknown): never => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      throw error;
    };
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      result.then(() => span.end(), fail).catch(() => {});
      return result;
    } catch (error) {
      return fail(error);
    }
  }

  function parentOf(traceparent: string | undefined): Context {
    const [, traceId, spanId, flags] =
      /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? '') ?? [];
    if (traceId === undefined || spanId === undefined) return context.active();
    const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED;
    return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
  }

  tracing = {
    run(name, facts, work, { place = 'inside', traceparent }) {
      const parent = parentOf(traceparent);
      const span = tracer.startSpan(name, { kind: kinds[place], attributes: { ...facts } }, parent);
      const note: NoteSpan = (more) => void span.setAttributes({ ...more });
      return context.with(trace.setSpan(parent, span), () => ending(span, () => work(note)));
    },
    record(name, facts, ms) {
      // A statement outside of a trace, such as a look for work, is no trace of its own.
      if (trace.getSpan(context.active()) === undefined) return;
      const end = performance.timeOrigin + performance.now();
      tracer.startSpan(name, { kind: kinds.call, attributes: { ...facts }, startTime: end - ms }).end(end);
    },
  };
  return async () => {
    tracing = null;
    await provider.shutdown();
    context.disable();
  };
}
