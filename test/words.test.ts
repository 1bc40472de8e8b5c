import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { type Prose, proseOf, proseOfPage } from './support/prose.ts';

/** Words and phrases that Dwell does not use, and what it says instead; docs/glossary.md has the reasons. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tell|tells|telling|told)\b/i, 'show, post, notify, include, say'],
  [/\b(?:who asks|asker|whoever)\b/i, 'you, the user, people'],
  [/\banew\b/i, 'again, from scratch'],
  [/\bbehind [`/]/i, 'after'],
  [/\b(?:stands|stood|lies)\b/i, 'is'],
  [/\b(?:whom|somebody|nobody|of which)\b/i, 'the person, anyone, no one, which'],
  [/\b(?:you|they|who|people|everyone|everybody|anyone|channel|channels|admin|admins) may\b/i, 'can'],
  [/\bclocks? of\b|\bclocks\b/i, 'Berlin time, time zone'],
  [/\bevery hour counts\b/i, '24/7'],
  [/\ballowed: /i, 'Try: a, b, c'],
  [/\bstand(?:s|ing)?[ -]ins?\b|\bin charge\b|\bhand(?:s|ed|ing)? over\b/i, 'cover'],
  [/\b(?:undecided|untold|unasked)\b/i, 'unknown, with the reason'],
  [/\bthe week before\b|\bin eight weeks\b/i, 'last week, 8-week average'],
  [/\bspread\b/i, 'standard deviation'],
  [/\d %/, '33%, p85'],
  [/\bI know no\b|\bis no (?:issue|day|week|time)\b/i, 'I can’t find'],
];

/** What a text of the code is that no person reads in these words, by file; each with its reason. */
const exceptions: Readonly<Record<string, string>> = {};

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = ['README.md', ...readdirSync(`${root}docs`).filter((one) => one.endsWith('.md')).map((one) => `docs/${one}`)]
  .filter((file) => file !== 'docs/glossary.md' && file !== 'docs/decisions.md');

const wrong = (texts: readonly Prose[]) =>
  texts.flatMap(({ file, line, text }) =>
    replaced.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${file}:${line} '${found}' in “${text.slice(0, 100)}”: ${instead}`];
    }),
  );

test('nothing people read in messages, errors and help uses a word that the glossary replaces', () => {
  const texts = proseOf('src').filter(({ file }) => exceptions[file] === undefined);
  expect(texts.length).toBeGreaterThan(1000);
  expect(wrong(texts)).toEqual([]);
});

test('nor do the pages and the manifest', () => {
  expect(wrong([...pages, 'manifest.yml'].flatMap(proseOfPage))).toEqual([]);
});
