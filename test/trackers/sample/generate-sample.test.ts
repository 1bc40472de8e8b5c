import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { generateSample } from '../../../src/trackers/sample/generate-sample.ts';
import { compiledProgram, quickProgram } from '../../support/compiled-program.ts';
import { runs } from '../../support/soak.ts';
import { doneIds, sampleOf } from './sample-of.ts';

const source = new URL('../../../src/trackers/sample/generate-sample.ts', import.meta.url).href;

/** Clock changes of both offices, the leap day, holidays, both ends of a year. */
const oddDays = [
  '2024-02-29',
  '2024-03-01',
  '2025-03-09',
  '2025-03-10',
  '2025-03-30',
  '2025-03-31',
  '2025-10-26',
  '2025-10-27',
  '2025-11-02',
  '2025-11-03',
  '2025-12-26',
  '2026-01-01',
  '2026-01-02',
  '2026-05-26',
];

const days = fc.integer({
  min: Date.parse('2023-01-01') / millisecondsInDay,
  max: Date.parse('2029-12-31') / millisecondsInDay,
});

test('generateSample tells the same for the same seed and day, and something else for another seed', () => {
  const today = Date.parse('2026-08-20');
  const { issues } = sampleOf('2026-08-20');
  expect(JSON.stringify(generateSample({ seed: 7, today }).issues) === JSON.stringify(issues)).toBe(true);
  expect(generateSample({ seed: 8, today }).issues[0]).not.toEqual(issues[0]);
});

test('generateSample does not depend on the time zone of the machine', () => {
  const script = `
    import { createHash } from 'node:crypto';
    const { generateSample } = await import(${JSON.stringify(source)});
    const sample = generateSample({ seed: 7, today: Date.parse('2026-03-30') });
    process.stdout.write(createHash('sha256').update(JSON.stringify(sample)).digest('hex'));
  `;
  const here = createHash('sha256')
    .update(JSON.stringify(generateSample({ seed: 7, today: Date.parse('2026-03-30') })))
    .digest('hex');
  const args = [...quickProgram, '--input-type=module', '-e', script];
  const environment = { ...compiledProgram, TZ: 'Pacific/Auckland' };
  expect(execFileSync(process.execPath, args, { env: environment, encoding: 'utf8' })).toBe(here);
});

test('generateSample has about 1,500 issues with dense keys, an eighth or so of them open, and changes on every day', () => {
  fc.assert(
    fc.property(days, fc.nat(1000), (day, seed) => {
      const sample = generateSample({ seed, today: day * millisecondsInDay });
      const { issues } = sample;
      const done = doneIds();
      const open = issues.filter(({ status }) => !done.has(status.id)).length;
      expect(issues.length).toBeGreaterThan(1300);
      expect(issues.length).toBeLessThan(1700);
      expect(open / issues.length).toBeGreaterThan(0.1);
      expect(open / issues.length).toBeLessThan(0.2);

      for (const project of ['WEB', 'APP', 'OPS']) {
        const keys = issues.map(({ key }) => key).filter((key) => key.startsWith(project));
        expect(keys).toEqual(keys.map((_, i) => `${project}-${i + 1}`));
      }

      const busy = new Set(
        issues.flatMap(({ changes }) => changes.map(({ at }) => Math.floor(at / millisecondsInDay))),
      );
      const lastDays = Array.from({ length: 90 }, (_, i) => day - i - 1);
      expect(lastDays.filter((one) => !busy.has(one))).toEqual([]);
      const latest = Math.max(...issues.map(({ created, updated }) => Math.max(created, updated)));
      expect(latest).toBeLessThan(day * millisecondsInDay);
    }),
    {
      // Examples are counted as runs.
      numRuns: oddDays.length + runs(4),
      seed: 20_260_820,
      examples: oddDays.map((date) => [Date.parse(date) / millisecondsInDay, 7]),
    },
  );
});

test('generateSample finishes work at a steady pace, slower at the turn of the year', () => {
  const { issues } = sampleOf('2026-08-20');
  const resolved = issues.flatMap((issue) => issue.resolved ?? []);
  const inWeekBefore = (until: number) =>
    resolved.filter(
      (at) => at >= until - 7 * millisecondsInDay && at < until && new Date(at).getUTCDay() % 6 > 0,
    ).length;
  const weeks = Array.from({ length: 75 }, (_, i) =>
    inWeekBefore(Date.parse('2026-08-20') - i * 7 * millisecondsInDay),
  );
  const mean = weeks.reduce((sum, count) => sum + count, 0) / weeks.length;

  expect(Math.min(...weeks)).toBeGreaterThan(0);
  expect(Math.max(...weeks)).toBeLessThan(mean * 2.5);
  expect(inWeekBefore(Date.parse('2026-01-02'))).toBeLessThan(mean * 0.75);
});

test('generateSample told on a later day of the month continues what it told earlier', () => {
  const earlier = sampleOf('2026-08-05');
  const later = new Map(sampleOf('2026-08-28').issues.map((issue) => [issue.key, issue]));

  const begun = earlier.issues.map(({ key, changes }) => {
    const grown = later.get(key);
    return [key, grown?.created, grown?.changes.slice(0, changes.length)];
  });
  expect(begun).toEqual(earlier.issues.map(({ key, created, changes }) => [key, created, changes]));
});

test('generateSample repeats few summaries', () => {
  const summaries = sampleOf('2026-08-20').issues.map(({ summary }) => summary);
  expect(new Set(summaries).size).toBeGreaterThan(summaries.length * 0.96);
});
