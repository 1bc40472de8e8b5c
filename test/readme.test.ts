import { readFileSync } from 'node:fs';
import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import { generateSample } from '../src/trackers/sample/generate-sample.ts';
import { runs } from './support/soak.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the issues the README sends a newcomer to are there on any day, the cut one cut', () => {
  const keys = [...readme.matchAll(/\/tis ([A-Z]+-\d+)/g)].map(([, key]) => key);
  expect(new Set(keys)).toEqual(new Set(['APP-350', 'OPS-3']));
  // Days of two years, in steps that meet other weekdays and parts of a month each time.
  for (let step = 0; step < runs(6); step += 1) {
    const today = Date.parse('2026-11-20T00:00:00Z') + ((step * 118) % 701) * millisecondsInDay;
    const issues = new Map(generateSample({ seed: 7, today }).issues.map((issue) => [issue.key, issue]));
    expect(issues.get('APP-350')?.history).toEqual({ complete: true });
    expect(issues.get('OPS-3')?.history.complete).toBe(false);
  }
});

test('the commands a newcomer copies are there', () => {
  expect(readme).toContain('npm install && npm start');
  expect(readme).toContain('npm install && npm test');
});
