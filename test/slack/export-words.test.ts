import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { AppError } from '../../src/model/error.ts';
import type { Selection } from '../../src/model/request.ts';
import { reports } from '../../src/reports/index.ts';
import { readExportWords } from '../../src/slack/exports/read-export-words.ts';

const read = (line: string) => readExportWords(line, reports);
const jql = (query: string): Selection => ({ by: 'jql', jql: query });

describe('which issues', () => {
  test.each<[string, Selection]>([
    ['WEB', { by: 'project', project: 'WEB' }],
    ['web', { by: 'project', project: 'web' }],
    ['project WEB', { by: 'project', project: 'WEB' }],
    ['PROJECT "Web Shop"', { by: 'project', project: 'Web Shop' }],
    ['project Web Shop', { by: 'project', project: 'Web Shop' }],
    ['WEB-1 web-2, WEB-1', { by: 'keys', keys: ['WEB-1', 'WEB-2'] }],
    ['<https://tracker.example/browse/WEB-9>', { by: 'keys', keys: ['WEB-9'] }],
    ['filter 10001', { by: 'savedFilter', id: '10001' }],
    ['filter My open work', jql('filter = "My open work"')],
    ['filter in progress', jql('filter = "in progress"')],
    ['filter Work in Progress', jql('filter = "Work in Progress"')],
    ['filter “Bent quotes”', jql('filter = "Bent quotes"')],
    ['filter say "hi"', jql('filter = "say \\"hi\\""')],
    ['sprint 7', { by: 'sprint', id: '7' }],
    ['sprint Sprint 7', jql('sprint = "Sprint 7"')],
    ['sprint in openSprints()', jql('sprint in openSprints()')],
    ['sprint = 7', jql('sprint = 7')],
    ['project = WEB AND status = Done', jql('project = WEB AND status = Done')],
    ['project=WEB', jql('project=WEB')],
    ['project in (WEB, APP)', jql('project in (WEB, APP)')],
    ['project not in (WEB)', jql('project not in (WEB)')],
    ['sprint is not empty', jql('sprint is not empty')],
    ['jql project = WEB', jql('project = WEB')],
    ['status changed by ada', jql('status changed by ada')],
    ['status = Done ORDER BY created', jql('status = Done ORDER BY created')],
    ['project = WEB order by statusDuration', jql('project = WEB order by statusDuration')],
    ['status = “In Progress”', jql('status = "In Progress"')],
    ['status = „In Progress“ AND x = "a“b"', jql('status = "In Progress" AND x = "a“b"')],
    ['status = “In Progress" by statusDuration', jql('status = "In Progress"')],
    ['summary ~ "don’t  panic"', jql('summary ~ "don’t  panic"')],
    ["summary ~ 'say “hi”'", jql("summary ~ 'say “hi”'")],
    ['summary ~ "say \\"hi\\" “now”"', jql('summary ~ "say \\"hi\\" “now”"')],
    ['summary ~ “don’t say \\"hi\\"”', jql('summary ~ "don’t say \\"hi\\""')],
    ['summary ~ “never closed', jql('summary ~ “never closed')],
    ['summary ~ "told by statusCount"', jql('summary ~ "told by statusCount"')],
    ['jql   summary ~ "a \t b"\nAND  status = Done  ', jql('summary ~ "a \t b"\nAND  status = Done')],
    ['filter “It’s  mine”', jql('filter = "It’s  mine"')],
    ['project ‘Web Shop’', { by: 'project', project: 'Web Shop' }],
    ['“WEB-1”', { by: 'keys', keys: ['WEB-1'] }],
  ])('%s', (line, selection) => {
    expect(read(line)).toEqual({ format: 'xlsx', unit: 'hours', reportType: 'statusDuration', selection });
  });
});

describe('which file', () => {
  const web: Selection = { by: 'project', project: 'WEB' };
  test.each([
    ['XLS WEB', 'xls', 'hours', 'statusDuration'],
    ['csv WEB in Days', 'csv', 'days', 'statusDuration'],
    ['json WEB by transitioncount', 'json', 'hours', 'transitionCount'],
    ['WEB by Transition Count in seconds', 'xlsx', 'seconds', 'transitionCount'],
    ['WEB in minutes by "Status Duration per Assignee"', 'xlsx', 'minutes', 'statusDurationByAssignee'],
  ])('%s', (line, format, unit, reportType) => {
    expect(read(line)).toEqual({ format, unit, reportType, selection: web });
  });

  test('a report and a unit behind a query are no part of it', () => {
    expect(read('csv status = Done ORDER BY created by statusCount in days')).toEqual({
      format: 'csv',
      unit: 'days',
      reportType: 'statusCount',
      selection: jql('status = Done ORDER BY created'),
    });
  });

  test('a project called like a format can be asked for', () => {
    expect(read('xlsx csv').selection).toEqual({ by: 'project', project: 'csv' });
    expect(read('project csv').selection).toEqual({ by: 'project', project: 'csv' });
  });
});

describe('what is wrong is named with its value and what is allowed', () => {
  test.each([
    ['csv', 'The filter is missing. Try: a project, a saved filter, a sprint, issue keys, JQL.'],
    ['in days', 'The filter is missing. Try: a project, a saved filter, a sprint, issue keys, JQL.'],
    ['pdf WEB', "format 'pdf' is not known. Try: xlsx, xls, csv, json."],
    ['pdf project WEB', "format 'pdf' is not known. Try: xlsx, xls, csv, json."],
    ['html WEB-1 WEB-2', "format 'html' is not known. Try: xlsx, xls, csv, json."],
    ['WEB in weeks', "unit 'weeks' is not known. Try: hours, days, minutes, seconds."],
    ['WEB-1 in weeks', "unit 'weeks' is not known. Try: hours, days, minutes, seconds."],
    ['project', "What stands behind 'project' is missing. Try: a name."],
    ['csv jql', "What stands behind 'jql' is missing. Try: JQL."],
  ])('%s', (line, sentence) => {
    expect(() => read(line)).toThrow(expect.objectContaining({ code: 'bad-request', details: [sentence] }));
  });

  test('a report nobody knows', () => {
    expect(() => read('WEB by moonlight')).toThrow(
      expect.objectContaining({
        details: [expect.stringMatching(/^report 'moonlight' is not known. Try: .*statusDuration.*\.$/)],
      }),
    );
  });
});

test('what stands in a literal of a query is what was typed, whatever it is', () => {
  const content = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/["\\]/g, ''));
  const odd = fc.oneof(content, fc.constantFrom('“x”', 'don’t', 'a   b', ' in days', 'by statusCount'));
  fc.assert(
    fc.property(odd, (inside) => {
      expect(read(`csv jql summary ~ "${inside}" AND status = “Done” in days`)).toMatchObject({
        unit: 'days',
        selection: jql(`summary ~ "${inside}" AND status = "Done"`),
      });
    }),
  );
});

test('whatever is typed is understood or refused with words', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'in',
      'by',
      'order',
      'project',
      'filter',
      'sprint',
      'jql',
      'csv',
      'WEB',
      'WEB-1',
      '=',
      'days',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.constantFrom(' ', '  ', '\n'), (words, blank) => {
      try {
        readExportWords(words.join(blank), reports);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
  );
});

test.each([
  ['WEB last 30 days', 'project = WEB AND created >= -30d'],
  ['csv project "Web Shop" resolved past 2 weeks', 'project = "Web Shop" AND resolved >= -2w'],
  ['WEB-1 WEB-2 last 3 days', 'key in (WEB-1, WEB-2) AND created >= -3d'],
  ['WEB this month', 'project = WEB AND created >= -30d'],
])('%s is a time, which a file takes as JQL: the line that works is told', (line, query) => {
  expect(() => read(line)).toThrow(
    expect.objectContaining({
      details: [expect.stringContaining(`. Try: /tis export jql ${query}.`)],
    }),
  );
  expect(read(`jql ${query}`).selection).toEqual(jql(query));
});
