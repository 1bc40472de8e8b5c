import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { type Prose, proseOf, proseOfPage, wordsOfCode } from './support/prose.ts';

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
  [/[\d…] %/, '33%, p85'],
  [/\bI know no\b|(?<!\b(?:there|it|who) )\bis no (?!longer|one|more)[a-z]/i, 'I can’t find, is not a'],
  [/\b(?:if|as) asked so\b/i, 'requested, optionally'],
  [/\bbeside the (?:mean|previous|eight|weeks?|sprints?)\b/i, 'vs., compared with'],
  [/^(?:Of|By) (?:all|how|what|which)\b|\b(?:absent|null) of\b/i, 'a noun: Number of, Id of; absent for'],
  [/\bhow many \w+ (?:\w+ )?has at most\b/i, 'Maximum page size'],
  [/\btook no longer\b|\b(?:is|are) added up\b/i, 'took this long or less; sum of'],
  [/\bspeaks? of\b|\bnever rests\b|\blevel ones\b/i, 'shows, 24/7, ties'],
  [/\bknow any admins\b|\bgranted every\b|\bno project list yet\b/i, 'No Dwell admin yet; all … are granted'],
  [
    /\bwhat (?:else|you choose above)\b|\blooks? at what\b/i,
    'a noun: other, the choices above, update checks',
  ],
];

/** What a text of the code is that no person reads in these words, by file; each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/slack/ask/plain/vocabulary.ts': 'words that people type, in which they are looked up',
  'src/store/upgrades/give-tenants.ts': 'SQL that names members of stored exports',
  'src/store/upgrades/document-steps.ts': 'past migrations: SQL with its comments, as they ran',
  'src/store/upgrades/upgrade.ts': 'SQL that names a member of stored notes',
};

const root = fileURLToPath(new URL('../', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((one) => one.endsWith('.md'))
    .map((one) => `docs/${one}`),
].filter((file) => file !== 'docs/glossary.md');

const wrong = (texts: readonly Prose[]) =>
  texts.flatMap(({ file, line, text }) =>
    replaced.flatMap(([pattern, instead]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${file}:${line} '${found}' in “${text.slice(0, 100)}”: ${instead}`];
    }),
  );

const source = proseOf('src');

test.each([
  ['src', source, 1000],
  ['playground', proseOf('playground'), 100],
] as const)('nothing people read in %s uses a word that the glossary replaces', (_folder, texts, fewest) => {
  expect(texts.length).toBeGreaterThan(fewest);
  expect(wrong(texts.filter(({ file }) => exceptions[file] === undefined))).toEqual([]);
});

test('an exception is a file that needs it', () => {
  const found = new Set(wrong(source).map((one) => one.split(':')[0] ?? ''));
  expect(Object.keys(exceptions).filter((file) => !found.has(file))).toEqual([]);
});

test('nor do the pages and the manifest', () => {
  expect(wrong([...pages, 'manifest.yml', '.env.example'].flatMap(proseOfPage))).toEqual([]);
});

/** Words that names of the code had and are to lose, and how many names still have each: a change may only make them fewer. */
const namesLeft: Readonly<Record<string, number>> = {
  asked: 121,
  asking: 12,
  asks: 107,
  held: 40,
  told: 44,
  tell: 19,
  tells: 17,
  say: 0,
  said: 0,
  kept: 113,
  met: 37,
  meet: 10,
  nobody: 34,
  lives: 0,
  learn: 22,
  learnt: 10,
  vouched: 0,
  stranger: 3,
  wish: 23,
  singles: 55,
  likeness: 0,
  anew: 6,
  most: 49,
  fewest: 2,
  strangers: 0,
  whoever: 0,
  somebody: 0,
  sight: 0,
};

/** Ways to begin a comment that leave out what it is about, and how many comments still do. */
const headlessLeft: Readonly<Record<string, number>> = {
  What: 1,
  Where: 0,
  Whether: 0,
  'By what': 0,
  'Of what': 0,
  'So many': 0,
  'So long': 0,
  'So few': 0,
  Whoever: 0,
  How: 2,
  Of: 0,
  Who: 0,
};

const code = wordsOfCode('src');

test('names of the code have no words that the standard terms replace, but for fewer and fewer', () => {
  const parts = code.names.map((name) => new Set(name.toLowerCase() === name ? [name] : partsOf(name)));
  const found = Object.fromEntries(
    Object.keys(namesLeft).map((word) => [word, parts.filter((own) => own.has(word)).length]),
  );
  expect(code.names.length).toBeGreaterThan(100_000);
  for (const [word, most] of Object.entries(namesLeft)) {
    expect([word, Math.max(found[word] ?? 0, most)]).toEqual([word, most]);
  }
  expect(code.names.filter((name) => /^(?:MOST|FEWEST|LONGEST|SHORTEST|DEAR)_/.test(name))).toEqual([]);
});

test('comments begin with what they are about, but for fewer and fewer', () => {
  for (const [beginning, most] of Object.entries(headlessLeft)) {
    const found = code.comments.filter((comment) => comment.startsWith(`${beginning} `)).length;
    expect([beginning, Math.max(found, most)]).toEqual([beginning, most]);
  }
});

/** The words of a name, in lower case. */
function partsOf(name: string): string[] {
  return name.split(/(?=[A-Z])|_|#/).map((part) => part.toLowerCase());
}
