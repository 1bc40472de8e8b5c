import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { isReportQuestion } from '../../../src/api/answers/report/report-kind.ts';
import { readParameters } from '../../../src/api/parameters/saved-report.ts';
import { AppError, badRequest } from '../../../src/model/error.ts';
import type { ParameterSet } from '../../../src/model/parameter-set.ts';
import type { ReportQuestion } from '../../../src/model/question.ts';
import type { Selection } from '../../../src/model/request.ts';
import { savedSets } from '../../../src/slack/answers/report/read-saved.ts';
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
    ])('%s is read as %s, which is said', async (typed, line, said) => {
      const { question, plain } = await readWords(typed, anAsking());
      expect(plain).toMatchObject({ line, readAs: expect.stringContaining(said) });
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

describe('report words', () => {
  async function read(line: string, asking = anAsking()): Promise<ReportQuestion> {
    const { question } = await readWords(line, asking);
    if (!isReportQuestion(question)) throw new Error(`a ${question.kind}`);
    return question;
  }

  const jql = (query: string): Selection => ({ by: 'jql', jql: query });
  const assigned = (user: string, name = user): Selection => ({
    by: 'jql',
    jql: `assignee = "${user}"`,
    title: `assigned to ${name}`,
  });
  const web: Selection = { by: 'project', project: 'WEB' };

  describe('which issues', () => {
    test.each<[string, Selection]>([
      ['WEB', web],
      ['web', { by: 'project', project: 'web' }],
      ['project WEB', web],
      ['PROJECT “Web Shop”', { by: 'project', project: 'Web Shop' }],
      ['list', { by: 'project', project: 'list' }],
      ['sprint 7 list', { by: 'sprint', id: '7' }],
      ['sprint Sprint 7 median', jql('sprint = "Sprint 7"')],
      ['filter 10001', { by: 'savedFilter', id: '10001' }],
      ['filter “My list”', jql('filter = "My list"')],
      ['assignee Ada King', assigned('Ada King')],
      ['assignee @ada', assigned('ada')],
      ['assignee me', assigned('ada', 'Ada Quist')],
      ['assignee <@U0BEN|ben>', assigned('ben')],
      ['assignee <@U0BEN> median', assigned('ben')],
      ['jql assignee = CurrentUser() order by key', jql('assignee = "ada" order by key')],
      ['reporter in (currentUser(), ben) median', jql('reporter in ("ada", ben)')],
      ['jql summary ~ "currentUser()"', jql('summary ~ "currentUser()"')],
      ['<https://tracker.example/browse/WEB-9> list', { by: 'keys', keys: ['WEB-9'] }],
      ['WEB-1 web-2 median', { by: 'keys', keys: ['WEB-1', 'WEB-2'] }],
      ['jql project = WEB', jql('project = WEB')],
      ['jql status changed by ada', jql('status changed by ada')],
      ['jql status = “In Progress” ORDER BY created', jql('status = "In Progress" ORDER BY created')],
      ['jql labels = list', jql('labels = list')],
      ['jql summary ~ "told last week" last week', jql('summary ~ "told last week"')],
      ['project = WEB AND status = Done', jql('project = WEB AND status = Done')],
      ['status is not empty', jql('status is not empty')],
      ['sprint in openSprints()', jql('sprint in openSprints()')],
    ])('%s', async (line, selection) => {
      expect((await read(line)).request.selection).toEqual(selection);
    });

    test('who asks and is nobody in the tracker is told so, and everything else is read', async () => {
      const asking = anAsking({ self: () => Promise.reject(badRequest('Who are you? Try: a name.')) });
      for (const line of ['assignee me', 'jql reporter = currentUser()']) {
        await expect(readWords(line, asking)).rejects.toMatchObject({
          details: ['Who are you? Try: a name.'],
        });
      }
      expect((await read('assignee ben', asking)).request.selection).toEqual(assigned('ben'));
    });

    test('a query that cannot be read stays as it was typed, so that what is told of it is right', async () => {
      const line = 'jql assignee = currentUser() and and';
      expect((await read(line)).request.selection).toEqual(jql('assignee = currentUser() and and'));
    });

    test('no filter at all means what is usual here, and that is said', async () => {
      const { question, remark } = await readWords('last 30 days by assignee', anAsking());
      expect(question).toMatchObject({ kind: 'report', request: { selection: web, groupBy: ['assignee'] } });
      expect(remark).toBe('This is of `WEB`.');
    });
  });

  test('what is left unsaid is the average time in each status, by the hours of here', async () => {
    expect(await read('WEB')).toMatchObject({
      range: null,
      timeZone: 'Europe/Berlin',
      request: {
        reportType: 'statusDuration',
        calendar: '1',
        groupBy: [],
        statistic: { type: 'average', denominator: 'nonNull' },
      },
    });
  });

  test.each([
    ['WEB', true],
    ['WEB last 30 days in Lisbon in hours', true],
    ['WEB average', undefined],
    ['WEB by assignee', undefined],
    ['WEB by month', undefined],
    ['WEB list', undefined],
  ])('%s is a summary: %s', async (line, isSummary) => {
    expect((await read(line)).isSummary).toBe(isSummary);
  });

  describe('units are words of their own', () => {
    const office = { workingTimes: [], holidays: [], timeZone: 'Europe/Berlin' };
    const calendars = [
      { id: null, name: 'normalHours', ...office },
      { id: 1, name: 'Hours', ...office },
      { id: 2, name: 'Business days', ...office },
    ];

    test.each([
      ['in hours', { unit: 'hours' }, '1'],
      ['in days', { unit: 'days' }, '1'],
      ['in HOURS', { unit: 'hours' }, '1'],
      ['in 24/7', {}, 'normalHours'],
      ['in hours in 24/7', { unit: 'hours' }, 'normalHours'],
      ['in 24/7 in days', { unit: 'days' }, 'normalHours'],
      ['in business', {}, '2'],
      ['in business days', {}, '2'],
      ['in business days in hours', { unit: 'hours' }, '2'],
      ['in "hours"', {}, '1'],
      ['in 1', {}, '1'],
    ])('%s, whatever calendars are called', async (words, unit, calendar) => {
      const question = await read(`WEB ${words}`, anAsking({ calendars }));
      expect(question.request.calendar).toBe(calendar);
      expect('unit' in question ? { unit: question.unit } : {}).toEqual(unit);
    });
  });

  test('a question holds neither who asks nor when', async () => {
    const { request } = await read('WEB last 30 days');
    expect(Object.keys(request)).toEqual(
      expect.not.arrayContaining(['principal', 'asOf', 'page', 'dateRange']),
    );
    expect(JSON.parse(JSON.stringify(request))).toEqual(request);
  });

  test('a report of dates, which has no average, is told as a list', async () => {
    const check = async (question: unknown) => {
      if ((question as ReportQuestion).request.statistic !== null) throw badRequest('tells dates');
    };
    const { request } = await read('WEB by firstTransitionToStatusDate', anAsking({ check }));
    expect(request).toMatchObject({ reportType: 'firstTransitionToStatusDate', statistic: null });
  });

  describe('which figure', () => {
    test.each([
      ['average', { type: 'average' }],
      ['MEAN', { type: 'average' }],
      ['median', { type: 'median' }],
      ['sum', { type: 'sum' }],
      ['p85', { type: 'percentile', percentile: 85 }],
      ['p99.5', { type: 'percentile', percentile: 99.5 }],
      ['90th percentile', { type: 'percentile', percentile: 90 }],
      ['percentile 50', { type: 'percentile', percentile: 50 }],
      ['spread', { type: 'standardDeviation', deviation: 'population' }],
      ['standard deviation', { type: 'standardDeviation' }],
    ])('%s', async (words, statistic) => {
      expect((await read(`WEB ${words}`)).request.statistic).toMatchObject(statistic);
    });

    test('list', async () => {
      expect((await read('WEB list')).request.statistic).toBeNull();
    });
  });

  describe('when', () => {
    const at = (iso: string) => Date.parse(iso);
    const day = (iso: string) => at(`${iso}T23:00:00Z`) - 86_400_000;

    test.each([
      ['2026-12-31', 'between 20 dec and 5 jan', '2026-12-20', null],
      ['2027-01-10', 'between 20 dec and 5 jan', '2026-12-20', '2027-01-06'],
      ['2026-12-31', 'between 20 Dec 2024 and 5. Jan', '2024-12-20', '2025-01-06'],
      ['2026-12-31', 'between 1 feb 2024 and 29 feb', '2024-02-01', '2024-03-01'],
      ['2026-11-18', 'between monday and friday', '2026-11-16', null],
      ['2026-11-18', 'between friday and monday', '2026-11-13', '2026-11-17'],
    ])('on %s, %s: the second day comes after the first', async (today, words, from, to) => {
      const { range } = await read(`WEB ${words}`, anAsking({ now: at(`${today}T14:00:00Z`) }));
      expect(range?.when).toEqual({ by: 'dates', from: day(from), to: to === null ? null : day(to) });
    });

    test.each([
      ['last 30 days', { by: 'days', days: 30 }],
      ['last 2 weeks', { by: 'days', days: 14 }],
      ['last 3 months', { by: 'days', days: 90 }],
      ['this week', { by: 'period', period: 'week', back: 0 }],
      ['Last Month', { by: 'period', period: 'month', back: 1 }],
      ['this quarter', { by: 'period', period: 'quarter', back: 0 }],
      ['last year', { by: 'period', period: 'year', back: 1 }],
      ['since 2026-11-01', { by: 'dates', from: at('2026-10-31T23:00:00Z'), to: null }],
      ['since monday', { by: 'dates', from: at('2026-11-15T23:00:00Z'), to: null }],
      ['since friday', { by: 'dates', from: at('2026-11-19T23:00:00Z'), to: null }],
      ['since last friday', { by: 'dates', from: at('2026-11-12T23:00:00Z'), to: null }],
      ['since 24 Dec', { by: 'dates', from: at('2025-12-23T23:00:00Z'), to: null }],
      ['since 3 days ago', { by: 'dates', from: at('2026-11-16T23:00:00Z'), to: null }],
      [
        'between 24 Oct 2026 and 25 Oct 2026',
        { by: 'dates', from: at('2026-10-23T22:00:00Z'), to: at('2026-10-25T23:00:00Z') },
      ],
      ['between yesterday and 2030-01-01', { by: 'dates', from: at('2026-11-18T23:00:00Z'), to: null }],
    ])('%s', async (words, when) => {
      expect((await read(`WEB ${words}`)).range).toEqual({ field: 'finished', when });
    });

    test('a field before it says what happened then', async () => {
      for (const field of ['created', 'updated', 'resolved', 'finished']) {
        expect((await read(`WEB ${field} last month`)).range?.field).toBe(field);
      }
    });

    test('the order of a query is no field of it', async () => {
      const { request, range } = await read('jql project = WEB ORDER BY updated last 30 days');
      expect(request.selection).toEqual(jql('project = WEB ORDER BY updated'));
      expect(range?.field).toBe('finished');
    });
  });

  describe('by what', () => {
    test.each([
      ['by assignee', { groupBy: ['assignee'] }],
      ['by type', { groupBy: ['issuetype'] }],
      ['by "Story points"', { groupBy: ['Story points'] }],
      ['by type and priority', { groupBy: ['issuetype', 'priority'] }],
      ['by type, priority', { groupBy: ['issuetype', 'priority'] }],
      ['by created', { groupBy: ['created'] }],
      ['by status count', { reportType: 'statusCount' }],
      ['by TRANSITIONCOUNT by assignee', { reportType: 'transitionCount', groupBy: ['assignee'] }],
      ['in Lisbon', { calendar: '2' }],
      ['in “berlin OFFICE”', { calendar: '1' }],
      ['in 2', { calendar: '2' }],
      ['in normalhours', { calendar: 'normalHours' }],
      ['in 24/7', { calendar: 'normalHours' }],
      ['by month', { reportType: 'statusDurationByTimePeriod', timePeriod: 'Month' }],
      ['by Week p85', { reportType: 'statusDurationByTimePeriod', timePeriod: 'Week' }],
      ['by quarter by assignee', { timePeriod: 'Quarter', groupBy: ['assignee'] }],
    ])('%s', async (words, request) => {
      expect((await read(`WEB ${words}`)).request).toMatchObject(request);
    });
  });

  test('the ends come in any order', async () => {
    const ends = ['resolved last 30 days', 'by assignee', 'p90', 'in Lisbon', 'by statusCount'];
    const usual = await read(`WEB ${ends.join(' ')}`);
    expect(usual).toMatchObject({
      range: { field: 'resolved', when: { by: 'days', days: 30 } },
      request: {
        groupBy: ['assignee'],
        statistic: { percentile: 90 },
        calendar: '2',
        reportType: 'statusCount',
      },
    });
    for (let turn = 1; turn < ends.length; turn += 1) {
      const turned = [...ends.slice(turn), ...ends.slice(0, turn)].join(' ');
      expect(await read(`project WEB ${turned}`)).toEqual(usual);
    }
  });

  describe('what is wrong is named, with what is allowed', () => {
    test.each([
      ['zzz', /^I couldn't find a project or an issue "zzz"\.$/],
      ['project NOPE', /^I couldn't find a project "NOPE"\. Try: the key or the name/],
      ['project', /^What comes after "project" is missing. Try: a name, such as project WEB\.$/],
      ['jql', /^What comes after "jql" is missing. Try: a query/],
      [
        'WEB in Lisbn',
        /^I couldn't find the calendar "Lisbn"\. Try: 24\/7, Berlin office, Lisbon\. Did you mean "Lisbon"\?$/,
      ],
      ['WEB last moon', /^I don't understand "last moon" here\.$/],
      ['WEB last 0 days', /^I can't look back "last 0 days"\. Try: 1 to 36500 days\.$/],
      ['WEB since 2030-01-01', /^The day "2030-01-01" is out of reach. Try: days from 1900 until today\.$/],
      ['WEB between nov 20 and nov 1', /^"nov 1" comes before "nov 20"\. Try: the earlier day first\.$/],
      [
        'WEB between november and october',
        /^"october" comes before "november"\. Try: the earlier day first\.$/,
      ],
      ['WEB between today and yesterday', /^"yesterday" comes before "today". Try: the earlier day first\.$/],
      [
        'WEB between today and moonrise',
        /^I don't know the date "moonrise"\. Try: Nov 1, 2026-11-01, monday\.$/,
      ],
      ['WEB p101', /^"p101" isn't a percentile. Try: p0 to p100\.$/],
      ['WEB median sum', /^You gave this twice: "median"\. Try: only one\.$/],
      ['WEB zealously', /^I don't understand "zealously" here\.$/],
      ['assignee <@U0EVE>', /^I do not know who that is. Try: their name\.$/],
    ])('%s', async (line, sentences) => {
      const failure = await readWords(line, anAsking()).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'bad-request' });
      expect((failure as { details: string[] }).details.join(' ')).toMatch(sentences);
    });

    test('nothing usual to go by', async () => {
      await expect(
        readWords('median', anAsking({ defaultProjects: async () => null })),
      ).rejects.toMatchObject({
        details: ['Which project?'],
      });
    });
  });
});

describe('saved names', () => {
  const aSet = (id: string, name: string, ownerId = 'ada'): ParameterSet => ({
    id,
    name,
    ownerId,
    public: ownerId !== 'ada',
    report: {},
    createdAt: 0,
    updatedAt: 0,
  });

  const sets = [
    aSet('s1', 'Team pace'),
    aSet('s2', 'team  pace', 'ben'),
    aSet('s3', 'Review', 'ben'),
    aSet('s4', 'review', 'cid'),
    aSet('s5', '"Review" by "team"'),
    aSet('s6', 'سرعة'),
    aSet('s7', 'a \n b'),
    aSet('s8', 'back`tick'),
  ];
  const asking = anAsking({ parameterSets: async () => sets });

  test('what a set holds and no report takes is named', async () => {
    const report = readParameters({ reportType: 'statusDuration', calender: 'Berlin' });
    const misspelt = anAsking({ parameterSets: async () => [{ ...aSet('s1', 'Team pace'), report }] });
    const { remark } = await readWords('saved Team pace', misspelt);
    expect(remark).toBe('No report takes `calender`, so this ignores it.');
  });

  test.each([
    ['Team pace', 's1'],
    ['TEAM   pace', 's1'],
    ['"team pace"', 's1'],
    ['s2', 's2'],
    ['"Review" by "team"', 's5'],
    ['\u2068سرعة\u2069', 's6'],
    ['a b', 's7'],
  ])('saved %s is the set %s', async (name, setId) => {
    expect((await readWords(`saved ${name}`, asking)).question).toMatchObject({ kind: 'saved', setId });
  });

  test('a name that others share is told with a line and an owner for each', async () => {
    await expect(readWords('saved review', asking)).rejects.toMatchObject({
      details: [
        'Several saved reports are called "review". Try: /tis saved s3 (by ben), /tis saved s4 (by cid).',
      ],
    });
  });

  test('the list gives a line for each set that tells just that one, and says whose it is', async () => {
    const { text } = savedSets(sets, 'ada', new Map([['ben', { name: 'Ben *Tor* <!channel>' }]]));
    expect(text.split('\n').slice(1)).toEqual([
      '*Team pace* (yours)  `/tis saved Team pace`',
      '*team pace* (by Ben *Tor* &lt;!channel&gt;)  `/tis saved s2`',
      '*Review* (by Ben *Tor* &lt;!channel&gt;)  `/tis saved s3`',
      '*review* (by cid)  `/tis saved s4`',
      '*"Review" by "team"* (yours)  `/tis saved "Review" by "team"`',
      '*\u2068سرعة\u2069* (yours)  `/tis saved \u2068سرعة\u2069`',
      '*a b* (yours)  `/tis saved s7`',
      '*back`tick* (yours)  `/tis saved s8`',
    ]);
    for (const [i, [, line = '']] of [...text.matchAll(/`\/tis (saved [^`]+)`/g)].entries()) {
      expect((await readWords(line, asking)).question).toMatchObject({ setId: sets[i]?.id });
    }
  });
});
