import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { expect, test } from '#jest';
import { type Metric, metrics } from '../../src/telemetry/metrics.ts';
import { tracingPackages } from '../../src/telemetry/tracing.ts';
import { withGenerated } from '../support/generated-page.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(pathOf(path), 'utf8');
const list: readonly Metric[] = Object.values(metrics);

/** Labels that Prometheus adds, and that of the buckets of a histogram. */
const added = ['job', 'instance', 'le'];

/** Names of series, by which queries find them: those of a histogram are three. */
const series = new Map(
  list.flatMap(({ type, name, labels }) => {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    return names.map((one) => [one, labels] as const);
  }),
);

/** Fails where a query names a metric that is not in the list, or a label that none of its metrics has. */
function checkQuery(query: string): void {
  const texts = query.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, '');
  const names = [...texts.matchAll(/\b(?:dwell|process|nodejs)_\w+/g)].map(([name]) => name);
  expect([query, names.filter((name) => !series.has(name))]).toEqual([query, []]);
  const known = new Set([...added, ...names.flatMap((name) => series.get(name) ?? [])]);
  const matched = [...texts.matchAll(/(\w+)\s*(?:=~|!~|!=|=)(?!=)\s*""/g)].map(([, label = '']) => label);
  const grouped = [...texts.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
  expect([query, [...matched, ...grouped].filter((label) => !known.has(label))]).toEqual([query, []]);
}

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), row: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = rulesSchema
  .parse(parse(read('deploy/prometheus/alerts.yaml')))
  .groups.flatMap(({ rules }) => rules);

test('docs/monitoring.md has every metric and the command of traces (UPDATE=1 writes it)', () => {
  const rows = list.map(({ type, name, help, labels, buckets }) => {
    const kind = type === 'state' ? 'gauge' : type;
    const steps = buckets === undefined ? '' : ` Buckets: ${buckets.join(', ')}.`;
    return `| \`${name}\` | ${kind} | ${labels.join(', ')} | ${help}${steps} |`;
  });
  const table = ['| Name | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
  const packages = Object.entries(tracingPackages).map(([name, version]) => `${name}@${version}`);
  const command = ['```sh', `npm install --no-save ${packages.join(' ')}`, '```', ''].join('\n');
  const page = read('docs/monitoring.md');
  const wanted = withGenerated(withGenerated(page, 'metrics', table), 'tracing', command);
  if (process.env.UPDATE === '1') writeFileSync(pathOf('docs/monitoring.md'), wanted);
  expect(read('docs/monitoring.md')).toBe(wanted);
});

test('metrics are named as Prometheus has it, and have few labels, none of them a path, a key or a person', () => {
  for (const { type, name, labels, help } of list) {
    expect(name).toMatch(/^(?:dwell|process|nodejs)_[a-z_]+$/);
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|kb|mb|count)\b/);
    expect(labels.length).toBeLessThanOrEqual(4);
    expect(labels.filter((label) => /path|key|user|account|query|issue/.test(label))).toEqual([]);
    expect(help).toMatch(/^[A-Z1].*\.$/);
  }
  expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
});

test('each alert asks for metrics that there are, has its row under "When something is wrong", and its unit test', () => {
  const [, wrong = ''] = read('docs/operations.md').split('## When something is wrong\n');
  const rows = new Set(wrong.split('\n## ')[0]?.match(/(?<=^\| `)\w+(?=` \|)/gm));
  const tested = read('deploy/prometheus/tests/alerts.test.yaml');
  expect(alerts.length).toBeGreaterThan(15);
  for (const { alert, expr, annotations } of alerts) {
    checkQuery(expr);
    expect([alert, annotations.row, rows.has(annotations.row)]).toEqual([alert, alert, true]);
    expect(tested.match(new RegExp(`alertname: ${alert}\\n        exp_alerts:`, 'g'))).toHaveLength(1);
  }
  const named = new Set(alerts.map(({ alert }) => alert));
  expect([...rows].filter((row) => row.startsWith('Dwell') && !named.has(row))).toEqual([]);
});

test('the dashboard asks for metrics that there are, in panels that do not overlap', () => {
  const place = z.object({ x: z.int(), y: z.int(), w: z.int().max(24), h: z.int() });
  const dashboard = z
    .object({
      uid: z.string(),
      schemaVersion: z.int(),
      templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
      panels: z.array(
        z.object({
          id: z.int(),
          title: z.string().min(1),
          gridPos: place,
          targets: z.array(z.object({ refId: z.string(), expr: z.string() })).default([]),
        }),
      ),
    })
    .parse(JSON.parse(read('deploy/grafana/dwell.json')));
  const variables = new Set(dashboard.templating.list.map(({ name }) => name));
  const cells = new Set<string>();
  for (const { gridPos: at, targets } of dashboard.panels) {
    for (let x = at.x; x < at.x + at.w; x += 1) {
      for (let y = at.y; y < at.y + at.h; y += 1) {
        expect(cells.has(`${x} ${y}`)).toBe(false);
        cells.add(`${x} ${y}`);
      }
    }
    for (const { expr } of targets) {
      checkQuery(expr);
      const used = [...expr.matchAll(/\$(?!__)(\w+)/g)].map(([, name = '']) => name);
      expect(used.filter((name) => !variables.has(name))).toEqual([]);
    }
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
});

test('the packages of traces are optional, and the versions of the sentence are those that tests run with', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies, dependencies } = JSON.parse(
    read('package.json'),
  );
  expect(peerDependencies).toEqual(tracingPackages);
  expect(devDependencies).toMatchObject(tracingPackages);
  for (const name of Object.keys(tracingPackages)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(dependencies).not.toHaveProperty(name);
  }
});
