import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import { generateSample } from '../src/trackers/sample/generate-sample.ts';
import { runs } from './support/soak.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const folder = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
const pages = ['README.md', ...folder.map((file) => `docs/${file}`)];
/** Every page's text; the changelog is history and left alone. */
const texts = new Map(pages.map((page) => [page, read(page)]));
const readme = texts.get('README.md') ?? '';

test('the issues the README and the pages send a newcomer to are there on any day, the cut one cut', () => {
  const [install, metrics] = [texts.get('docs/install.md'), texts.get('docs/metrics.md')];
  const keys = [...`${readme}${install}${metrics}`.matchAll(/\/tis ([A-Z]+-\d+)/g)].map(([, key]) => key);
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

test('the README is a front page: 8 KB, and a link to every page', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  for (const page of pages.slice(1)) expect(readme).toContain(`](${page})`);
});

test('every link of the pages leads to a file, and to a heading of it', () => {
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  const dead = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', to]) => {
      const file = path === '' ? page : relative(root, join(root, dirname(page), path));
      if (!existsSync(join(root, file))) return [`${page}: ${link}`];
      const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading));
      return to === undefined || headings.includes(to) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
});

test('every file and folder the pages name is there', () => {
  const named = /`((?:src|test|bench|docs|playground|tools|\.ci)\/[\w./-]*\w)\/?`/g;
  const missing = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(named)].flatMap(([, path = '']) =>
      existsSync(join(root, path)) ? [] : [`${page}: ${path}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('every npm script the pages name is there', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(/\bnpm (?:run (?:--silent )?([a-z]+)|(start|test)\b)/g)].map(([, run, short]) => ({
      page,
      script: run ?? short,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ script = '' }) => !(script in scripts))).toEqual([]);
});

test('the pictures are those the README shows, each small enough to load at once', () => {
  const shown = [...readme.matchAll(/docs\/pictures\/[\w-]+\.png/g)].map(([path]) => path);
  const kept = readdirSync(join(root, 'docs/pictures')).map((file) => `docs/pictures/${file}`);
  expect([...new Set(shown)].sort()).toEqual(kept.sort());
  for (const path of kept) expect(statSync(join(root, path)).size).toBeLessThanOrEqual(150_000);
});

test('decisions are few, numbered, and say why and what would change them', () => {
  const [text = ''] = (texts.get('docs/decisions.md') ?? '').split('\n## Packages');
  const decisions = text.split(/\n## (?=\d+\. )/).slice(1);
  expect(decisions.length).toBeGreaterThan(20);
  expect(decisions.length).toBeLessThanOrEqual(40);
  expect(decisions.map((one) => Number.parseInt(one, 10))).toEqual(decisions.map((_, index) => index + 1));
  for (const one of decisions) {
    const [, ...paragraphs] = one.trim().split('\n\n');
    expect([one.split('\n')[0], paragraphs.length]).toEqual([one.split('\n')[0], 1]);
    for (const label of ['**Context.**', '**Decision.**', '**Why.**', '**What would change it.**'])
      expect(one).toContain(label);
  }
});

test('the table of packages has every dependency, and no others', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const [, table = ''] = (texts.get('docs/decisions.md') ?? '').split('\n## Packages');
  const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
    (name) => !name.startsWith('@types/'),
  );
  expect(named.sort()).toEqual(wanted.sort());
});
