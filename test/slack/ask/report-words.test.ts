import { describe, expect, test } from '#jest';
import { isReportQuestion } from '../../../src/api/answers/report/report-kind.ts';
import { badRequest } from '../../../src/model/error.ts';
import type { ReportQuestion } from '../../../src/model/question.ts';
import type { Selection } from '../../../src/model/request.ts';
import { readWords } from '../../../src/slack/ask/read-question.ts';
import { anAsking } from '../../support/an-asking.ts';

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
