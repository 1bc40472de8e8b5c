import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import { type Meters, type Recording, recordingsOf } from './meters.ts';
import { type Metric, metrics } from './metrics.ts';

/** The longest wait (ms) for what is measured at a reading, such as by a database that does not answer. */
const TIMEOUT_MS = 3_000;

const openMetrics = 'application/openmetrics-text';

/** Creates the meters of a process, with a registry of their own. */
export function createMeters(): Meters {
  const registry = new Registry<OpenMetricsContentType | typeof Registry.PROMETHEUS_CONTENT_TYPE>();
  const gauges: Gauge[] = [];
  const withoutLabels = new Set<Gauge>();
  const measuring: (() => void | Promise<void>)[] = [];

  function recorderOf({ type, name, help, labels, buckets = [] }: Metric): Recording<Metric> {
    const common = { name, help, labelNames: labels, registers: [registry] };
    switch (type) {
      case 'counter': {
        const counter = new Counter(common);
        return (values, by) => counter.inc(values, by);
      }
      case 'histogram': {
        const histogram = new Histogram({ ...common, buckets: [...buckets] });
        return (values, seconds) => histogram.observe(values, seconds);
      }
      case 'gauge':
      case 'state': {
        const gauge = new Gauge(common);
        if (type === 'gauge') gauges.push(gauge);
        if (labels.length === 0) withoutLabels.add(gauge);
        return (values, value) => gauge.set(values, value);
      }
    }
  }

  async function measure(): Promise<void> {
    for (const gauge of gauges) {
      gauge.reset();
      // One without labels would be 0.
      if (withoutLabels.has(gauge)) gauge.remove();
    }
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, TIMEOUT_MS).unref();
    const all = measuring.map(async (one) => one());
    await Promise.race([Promise.allSettled(all), late.promise]);
    clearTimeout(timer);
  }

  async function render(isOpen: boolean): Promise<string> {
    registry.setContentType(isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE);
    const text = await registry.metrics();
    // prom-client 15 renames counters for OpenMetrics, and leaves them so.
    for (const { name } of Object.values(metrics))
      Object.assign(registry.getSingleMetric(name) ?? {}, { name });
    return text;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    ...recordingsOf(recorderOf),
    atReading: (one) => void measuring.push(one),
    exposition(accept) {
      const isOpen = accept.includes(openMetrics);
      // One after the other: the format and the gauges are the registry's.
      const next = last.then(async () => {
        await measure();
        const text = await render(isOpen);
        return { type: registry.contentType, text };
      });
      last = next.catch(() => {});
      return next;
    },
  };
}
