import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { readWords } from '../../../src/questions/index.ts';
import { anAsking } from '../../support/an-asking.ts';
import type { AnyQuestion } from '../../support/any-question.ts';

const here = { calendar: '1', timeZone: 'Europe/Berlin' };
const web = { by: 'project', project: 'WEB' } as const;
const app = { by: 'project', project: 'APP' } as const;
const month = (back: number) =>
  ({ field: 'resolved', when: { by: 'period', period: 'month', back } }) as const;

describe('any question in words', () => {
  test.each<[string, AnyQuestion]>([
    ['web-350', { kind: 'issue', key: 'WEB-350', ...here }],
    ['weekly', { kind: 'weekly', selection: web, week: 'last', ...here }],
    ['weekly WEB', { kind: 'weekly', selection: web, week: 'last', ...here }],
    ['WEEKLY project APP this week', { kind: 'weekly', selection: app, week: 'this', ...here }],
    ['weekly last week in Lisbon', { kind: 'weekly', selection: web, week: 'last', ...here, calendar: '2' }],
    [
      'weekly WEB in Lisbon 2026-W46',
      { kind: 'weekly', selection: web, week: Date.parse('2026-11-08T23:00:00Z'), ...here, calendar: '2' },
    ],
    ['weekly W46', { kind: 'weekly', selection: web, week: Date.parse('2026-11-08T23:00:00Z'), ...here }],
    [
      'weekly APP week 48',
      { kind: 'weekly', selection: app, week: Date.parse('2025-11-23T23:00:00Z'), ...here },
    ],
    ['weekly W53', { kind: 'weekly', selection: web, week: Date.parse('2020-12-27T23:00:00Z'), ...here }],
    ['weekly APP in berlin', { kind: 'weekly', selection: app, week: 'last', ...here }],
    ['sprint', { kind: 'sprint', sprint: null, selection: web, ...here }],
    ['sprint 7', { kind: 'sprint', sprint: '7', selection: null, ...here }],
    [
      'sprint “Sprint 7” in Lisbon in days',
      { kind: 'sprint', sprint: 'Sprint 7', selection: null, ...here, calendar: '2', unit: 'days' },
    ],
    ['saved review', { kind: 'saved', setId: 'a', timeZone: 'Europe/Berlin' }],
    ['aging', { kind: 'aging', selection: web, ...here }],
    ['aging APP in normalHours', { kind: 'aging', selection: app, ...here, calendar: 'normalHours' }],
    [
      'aging jql status = Review',
      { kind: 'aging', selection: { by: 'jql', jql: 'status = Review' }, ...here },
    ],
    ['mine', { kind: 'mine', ...here }],
    ['mine in Lisbon', { kind: 'mine', ...here, calendar: '2' }],
    ['mine in hours', { kind: 'mine', ...here, unit: 'hours' }],
    ['mine in days in Lisbon', { kind: 'mine', ...here, calendar: '2', unit: 'days' }],
    [
      'aging APP in lisbon in hours',
      { kind: 'aging', selection: app, ...here, calendar: '2', unit: 'hours' },
    ],
    ['saved review times', { kind: 'saved', setId: 'a', timeZone: 'Europe/Berlin' }],
    ['saved “Review times”', { kind: 'saved', setId: 'a', timeZone: 'Europe/Berlin' }],
    ['saved c', { kind: 'saved', setId: 'c', timeZone: 'Europe/Berlin' }],
    [
      'compare WEB with APP',
      {
        kind: 'compare',
        sides: [
          { title: 'WEB', selection: web, range: null },
          { title: 'APP', selection: app, range: null },
        ],
        ...here,
      },
    ],
    [
      'compare WEB with APP last month in Lisbon',
      {
        kind: 'compare',
        sides: [
          { title: 'WEB, resolved last month', selection: web, range: month(1) },
          { title: 'APP, resolved last month', selection: app, range: month(1) },
        ],
        ...here,
        calendar: '2',
      },
    ],
    [
      'compare WEB last month vs this month',
      {
        kind: 'compare',
        sides: [
          { title: 'WEB, resolved last month', selection: web, range: month(1) },
          { title: 'WEB, resolved this month', selection: web, range: month(0) },
        ],
        ...here,
      },
    ],
    [
      'compare last month with APP this month',
      {
        kind: 'compare',
        sides: [
          { title: 'APP, resolved last month', selection: app, range: month(1) },
          { title: 'APP, resolved this month', selection: app, range: month(0) },
        ],
        ...here,
      },
    ],
    [
      'compare WEB created last month vs updated this month',
      {
        kind: 'compare',
        sides: [
          { title: 'WEB, created last month', selection: web, range: { ...month(1), field: 'created' } },
          { title: 'WEB, updated this month', selection: web, range: { ...month(0), field: 'updated' } },
        ],
        ...here,
      },
    ],
    [
      'compare filter "done with care" with APP',
      {
        kind: 'compare',
        sides: [
          {
            title: 'filter done with care',
            selection: { by: 'jql', jql: 'filter = "done with care"' },
            range: null,
          },
          { title: 'APP', selection: app, range: null },
        ],
        ...here,
      },
    ],
  ])('%s', async (line, question) => {
    expect((await readWords(line, anAsking())).question).toEqual(question);
  });

  test('the projects of a channel are asked about together', async () => {
    const defaultProjects = async () => ({ projects: ['WEB', 'APP'], remark: 'These two.' });
    expect(await readWords('aging', anAsking({ defaultProjects }))).toEqual({
      question: { kind: 'aging', selection: { by: 'jql', jql: 'project in ("WEB", "APP")' }, ...here },
      remark: 'These two.',
    });
  });
});

describe('what is wrong is named, with what is allowed', () => {
  test.each([
    ['', /^Which report\?/],
    ['weekly 2026-W54', /^'2026-W54' is no week of that year. Try: last week, this week, or an ISO week/],
    ['weekly WEB 2026-W53 this week', /I do not know what '2026-W53' means after 'WEB'/],
    ['weekly 2027-W01', /^The week '2027-W01' has not begun. Try: /],
    ['weekly W99', /^There is no week 99. Try: last week, this week, or an ISO week such as 2026-W46/],
    ['weekly WEB last 4 weeks', /^'last 4 weeks' is no week I can read. Try: last week, this week, or an/],
    ['weekly WEB nxt week', /^'nxt week' is no week I can read. Try: /],
    ['weekly next week', /^'next week' is no week I can read. Try: /],
    ['project WEB avrage', /^I do not know what 'avrage' means after 'WEB'\. .*Did you mean 'average'\?$/],
    ['weekly NOPE', /^'NOPE' is neither an issue key nor a project I can find/],
    ['weekly WEB last 30 days', /^'last 30 days' has no place in this question\. Try: after the issues/],
    ['aging WEB by assignee', /^'by assignee' has no place in this question/],
    ['compare WEB median with APP', /^'median' has no place in this question/],
    ['weekly WEB in Lisbn', /^The calendar 'Lisbn' is not known/],
    ['mine please', /^I do not know what 'please' means after mine. Try: nothing, or in CALENDAR\.$/],
    ['saved', /^Which parameter set\?/],
    ['saved reviw times', /^The parameter set 'reviw times' is not known\. .*Did you mean 'Review times'\?$/],
    [
      'saved twice',
      /^'twice' is the name of several parameter sets. Try: \/tis saved b \(of Ada Quist\), \/tis saved c \(of Ada Quist\)\.$/,
    ],
    ['compare WEB', /^Two sides are needed, with the word 'with' between them. Try: /],
    ['compare WEB with', /^What comes after 'with' is missing. Try: /],
    ['compare WEB with web', /^Both sides are 'WEB'. Try: two that differ/],
  ])('%s', async (line, sentences) => {
    const failure = await readWords(line, anAsking()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'bad-request' });
    expect((failure as { details: string[] }).details.join(' ')).toMatch(sentences);
  });
});

describe('a part of a name', () => {
  const beside = (names: readonly string[], unlisted = 0) =>
    anAsking({
      knownBeside: async (_, name) => (names.includes(name) ? null : { names, unlisted }),
    });
  const sprints = ['WEB Sprint 1', 'WEB Sprint 10', 'WEB Sprint 7', 'APP Sprint 10'];

  test('finds the only sprint it is in, and that is said', async () => {
    const { question, remark } = await readWords('sprint "Sprint 7" median', beside(sprints));
    expect(question).toMatchObject({ request: { selection: { by: 'jql', jql: 'sprint = "WEB Sprint 7"' } } });
    expect(remark).toBe('I took `Sprint 7` for the sprint `WEB Sprint 7`.');
  });

  test('of several sprints of a name it says which one it is', async () => {
    const asking = anAsking({ sprintNames: async () => ['Sprint 7', 'sprint 7 ', 'Sprint 8'] });
    const { question, remark } = await readWords('sprint Sprint 7', asking);
    expect(question).toMatchObject({ kind: 'sprint', sprint: 'Sprint 7' });
    expect(remark).toBe('2 sprints are called `Sprint 7`; this is the one that began last.');
    expect((await readWords('sprint Sprint 8', asking)).remark).toBeNull();
  });

  test.each([
    ['sprint Sprint 10', beside(sprints), "Did you mean 'WEB Sprint 10' or 'APP Sprint 10'?"],
    ['sprint Sprint 7', beside(sprints, 3), "Did you mean 'WEB Sprint 7'?"],
    ['wbe', beside(['OPS', 'WEB']), "Did you mean the project 'WEB'?"],
    ['project wbe', beside(['OPS', 'WEB']), "Did you mean the project 'WEB'?"],
  ])('%s is asked back', async (line, asking, sentence) => {
    const failure = await readWords(line, asking).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'bad-request', details: [expect.anything(), sentence] });
  });

  test('lists few names of many, and what they hold at most five times', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `Train ${i}`);
    await expect(readWords('sprint Train', beside(many, 4))).rejects.toMatchObject({
      details: [
        expect.stringMatching(/^The sprint 'Train' is not known. Try: Train 0, .*Train 9 and 34 more\.$/),
        "Did you mean 'Train 0', 'Train 1', 'Train 2', 'Train 3' or 'Train 4'?",
      ],
    });
  });

  test('of a calendar is none where it may be part of another name', async () => {
    const { question } = await readWords('filter stuck in berlin', anAsking());
    expect(question).toMatchObject({ request: { selection: { jql: 'filter = "stuck in berlin"' } } });
  });
});

test('whatever is typed is understood, or refused with words that name something and what is allowed', async () => {
  const known =
    'weekly aging mine compare saved project sprint filter assignee jql with by in last this since between and week month 30 days list median p85 WEB APP WEB-1 = " “ order'.split(
      ' ',
    );
  const word = fc.oneof(
    fc.constantFrom(...known),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('<!channel>', '<@U0BEN>', '<@U0EVE>', '__proto__', 'toString'),
  );
  const line = fc.oneof(
    fc.array(word, { maxLength: 14 }).map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 3000 }),
  );
  await fc.assert(
    fc.asyncProperty(line, async (typed) => {
      const read = await readWords(typed, anAsking()).catch((error: unknown) => error);
      if (!(read instanceof AppError)) return expect(read).toHaveProperty('question.kind');
      expect(read.code).toBe('bad-request');
      expect(read.details.join(' ')).toMatch(/Try: |. Try: /);
    }),
  );
});
