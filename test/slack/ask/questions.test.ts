import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { isReportQuestion } from '../../../src/api/answers/report/report-kind.ts';
import { AppError } from '../../../src/model/error.ts';
import { readWords } from '../../../src/slack/ask/read-question.ts';
import { anAsking } from '../../support/an-asking.ts';
import { anyCharacter } from '../../support/any-character.ts';
import type { AnyQuestion } from '../../support/any-question.ts';

describe('question words', () => {
  const here = { calendar: '1', timeZone: 'Europe/Berlin' };
  const web = { by: 'project', project: 'WEB' } as const;
  const app = { by: 'project', project: 'APP' } as const;
  const month = (back: number) =>
    ({ field: 'finished', when: { by: 'period', period: 'month', back } }) as const;

  describe('any question in words', () => {
    test.each<[string, AnyQuestion]>([
      ['web-350', { kind: 'issue', key: 'WEB-350', ...here }],
      ['weekly', { kind: 'weekly', selection: web, week: 'last', ...here }],
      ['weekly WEB', { kind: 'weekly', selection: web, week: 'last', ...here }],
      ['WEEKLY project APP this week', { kind: 'weekly', selection: app, week: 'this', ...here }],
      [
        'weekly last week in Lisbon',
        { kind: 'weekly', selection: web, week: 'last', ...here, calendar: '2' },
      ],
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
      ['aging APP with backlog', { kind: 'aging', selection: app, ...here, backlog: true }],
      [
        'aging APP in Lisbon With Backlog in hours',
        { kind: 'aging', selection: app, ...here, calendar: '2', backlog: true, unit: 'hours' },
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
            { title: 'WEB, finished last month', selection: web, range: month(1) },
            { title: 'APP, finished last month', selection: app, range: month(1) },
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
            { title: 'WEB, finished last month', selection: web, range: month(1) },
            { title: 'WEB, finished this month', selection: web, range: month(0) },
          ],
          ...here,
        },
      ],
      [
        'compare last month with APP this month',
        {
          kind: 'compare',
          sides: [
            { title: 'APP, finished last month', selection: app, range: month(1) },
            { title: 'APP, finished this month', selection: app, range: month(0) },
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

    test.each([
      ['wekly WEB', 'weekly WEB', 'I took `wekly` for `weekly`.'],
      ['project WEB avrage', 'WEB average', 'I took `avrage` for `average`.'],
      ['WEB by asignee', 'WEB by assignee', 'I took `asignee` for `assignee`.'],
      [
        'hey, please show me the bugs of WEB in octobr',
        'jql project = WEB AND issuetype = Bug october',
        '`octobr`',
      ],
      ['WEB or APP, all that was finished in Q3, pls', 'jql project in (WEB, APP) Q3', ''],
      ['stories without bugs in WEB', 'jql project = WEB AND issuetype = Story AND issuetype != Bug', ''],
      ['how long did ada take last month', 'jql assignee = ada last month cycle time', ''],
      ['my bugs last month', 'jql issuetype = Bug AND assignee = ada last month', ''],
      ['WEB cycle time trend this year', 'WEB this year by month', ''],
      ['is WEB better this month?', 'compare WEB last month with this month', ''],
    ])('%s is read as %s, which is said', async (typed, line, sentence) => {
      const { question, plain } = await readWords(typed, anAsking());
      expect(plain).toMatchObject({ line, readAs: expect.stringContaining(sentence) });
      expect(plain?.readAs).toContain(`I read this as \`/tis ${line}\`.`);
      expect(question).toEqual((await readWords(line, anAsking())).question);
    });

    test.each([
      ['WEB october', { by: 'dates', from: '2026-10-01', to: '2026-11-01' }],
      ['WEB in Q3', { by: 'dates', from: '2026-07-01', to: '2026-10-01' }],
      ['WEB 2026-W46', { by: 'dates', from: '2026-11-09', to: '2026-11-16' }],
      ['WEB yesterday', { by: 'dates', from: '2026-11-19', to: '2026-11-20' }],
      ['WEB since Nov 1', { by: 'dates', from: '2026-11-01', to: null }],
      ['WEB december', { by: 'dates', from: '2025-12-01', to: '2026-01-01' }],
      ['WEB 1.10. - 15.11.', { by: 'dates', from: '2026-10-01', to: '2026-11-16' }],
      ['WEB nov 2-13', { by: 'dates', from: '2026-11-02', to: '2026-11-14' }],
      ['WEB before Q2 2026', { by: 'dates', from: null, to: '2026-04-01' }],
      ['WEB previous 2 quarters', { by: 'days', days: 182 }],
      ['WEB november', { by: 'dates', from: '2026-11-01', to: null }],
      ['WEB last sprint by assignee', { by: 'dates', from: '2026-11-02', to: '2026-11-13' }],
    ])('%s is a time as people write it', async (line, when) => {
      const { question } = await readWords(line, anAsking());
      const read = isReportQuestion(question) ? question.range?.when : null;
      const day = (at: number | null) =>
        at === null ? null : new Date(at + 2 * 3_600_000).toISOString().slice(0, 10);
      expect(read?.by === 'dates' ? { by: 'dates', from: day(read.from), to: day(read.to) } : read).toEqual(
        when,
      );
    });

    test('the line that a sentence is read as means the same when it is typed', async () => {
      const word = fc.constantFrom(
        ...'how long do bugs take in WEB since october compared to november by assignee median cycle time stuck review finished created open my stories without tasks APP last month this quarter in hours in Lisbon list weekly sprint p85 Q3 yesterday and or the for more than 3 days unassigned top share'.split(
          ' ',
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(word, { minLength: 2, maxLength: 12 }), async (words) => {
          const read = await readWords(words.join(' '), anAsking()).catch((error: unknown) => error);
          if (read instanceof AppError) {
            const { line } = read.data;
            // What is offered works.
            if (typeof line === 'string') {
              expect(await readWords(line, anAsking()).catch((error: unknown) => error)).toHaveProperty(
                'question',
              );
            }
            return;
          }
          const { plain, question } = read as Awaited<ReturnType<typeof readWords>>;
          if (plain !== undefined)
            expect((await readWords(plain.line, anAsking())).question).toEqual(question);
        }),
      );
    });

    test('single quotes that a phone bends are quotes, and apostrophes are none', async () => {
      for (const line of [
        'jql status = ‘In Review’',
        'jql status = ’In Review’',
        'jql status = "In Review"',
      ]) {
        expect((await readWords(line, anAsking())).question).toMatchObject({
          request: { selection: { by: 'jql', jql: 'status = "In Review"' } },
        });
      }
      const { question } = await readWords('jql summary ~ ‘don’t panic’', anAsking());
      expect(question).toMatchObject({ request: { selection: { jql: 'summary ~ "don’t panic"' } } });
      expect((await readWords('sprint ‘Sprint 7’', anAsking())).question).toMatchObject({
        sprint: 'Sprint 7',
      });
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
      ['weekly 2026-W54', /^There is no "2026-W54" in that year. Try: last week, this week, or an ISO week/],
      ['weekly WEB 2026-W53 this week', /^I don't understand "2026-W53 this" here\.$/],
      ['weekly 2027-W01', /^The week "2027-W01" hasn't begun. Try: /],
      ['weekly W99', /^No year has a week 99. Try: last week, this week, or an ISO week such as 2026-W46/],
      ['weekly WEB last 4 weeks', /^"last 4 weeks" doesn't name a week. Try: last week, this week, or an/],
      ['weekly WEB nxt week', /^"nxt week" doesn't name a week. Try: /],
      ['weekly next week', /^"next week" doesn't name a week. Try: /],
      ['weekly NOPE', /^I couldn't find a project "NOPE"\.$/],
      ['weekly WEB last 30 days', /^I can't use "last 30 days" in this question\.$/],
      ['aging WEB by assignee', /^I can't use "by assignee" in this question/],
      ['weekly WEB in Lisbn', /^I couldn't find the calendar "Lisbn"/],
      ['saved', /^Which saved report\?/],
      [
        'saved reviw times',
        /^I couldn't find the saved report "reviw times"\. .*Did you mean "Review times"\?$/,
      ],
      [
        'saved twice',
        /^Several saved reports are called "twice"\. Try: \/tis saved b \(by Ada Quist\), \/tis saved c \(by Ada Quist\)\.$/,
      ],
      ['compare WEB', /^Compare needs two sides with the word "with" between them. Try: /],
      ['compare WEB with', /^What comes after "with" is missing. Try: /],
      ['compare WEB with web', /^Both sides are "WEB". Try: two that differ/],
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
      expect(question).toMatchObject({
        request: { selection: { by: 'jql', jql: 'sprint = "WEB Sprint 7"' } },
      });
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
      ['sprint Sprint 10', beside(sprints), 'Did you mean "WEB Sprint 10" or "APP Sprint 10"?'],
      ['sprint Sprint 7', beside(sprints, 3), 'Did you mean "WEB Sprint 7"?'],
      ['wbe', beside(['OPS', 'WEB']), 'Did you mean "WEB"?'],
      ['project wbe', beside(['OPS', 'WEB']), 'Did you mean "WEB"?'],
    ])('%s is asked back', async (line, asking, sentence) => {
      const failure = await readWords(line, asking).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'bad-request', details: [expect.anything(), sentence] });
    });

    test('lists few names of many, and what they hold at most five times', async () => {
      const many = Array.from({ length: 40 }, (_, i) => `Train ${i}`);
      await expect(readWords('sprint Train', beside(many, 4))).rejects.toMatchObject({
        details: [
          expect.stringMatching(
            /^I couldn't find the sprint "Train"\. Try: Train 0, .*Train 9 and 34 more\.$/,
          ),
          'Did you mean "Train 0", "Train 1", "Train 2", "Train 3" or "Train 4"?',
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
      fc.string({ unit: anyCharacter, maxLength: 3000 }),
    );
    await fc.assert(
      fc.asyncProperty(line, async (typed) => {
        const read = await readWords(typed, anAsking()).catch((error: unknown) => error);
        if (!(read instanceof AppError)) return expect(read).toHaveProperty('question.kind');
        expect(read.code).toBe('bad-request');
        expect(read.details.join(' ')).toMatch(/\S{3}.*[.?]$/s);
      }),
    );
  });
});
