import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { isClosed } from '../../../src/api/parameters/rolling-range.ts';
import { parametersOf, readParameters } from '../../../src/api/parameters/saved-report.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import type { ParameterSet } from '../../../src/model/parameter-set.ts';
import { ask } from '../../../src/model/request.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { readInputs } from '../../../src/slack/app/form-inputs.ts';
import { offeredReports } from '../../../src/slack/ask/grammar/parse-options.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import {
  type BuilderFacts,
  type BuilderForm,
  isReport,
  newForm,
  noIssues,
} from '../../../src/slack/builder/builder-form.ts';
import { builderView, reportBuilderForm } from '../../../src/slack/builder/builder-view.ts';
import { formOfQuestion, formOfSaved } from '../../../src/slack/builder/open-builder.ts';
import { reportBuilder, savedReportOf } from '../../../src/slack/builder/submit-builder.ts';
import { principalOf } from '../../support/principal-of.ts';

const names = ['Berlin', '<!channel> & *b*', 'שעות עבודה', '👩‍👩‍👧‍👦'.repeat(60), 'x'.repeat(500), ' '];
const hours = { calendar: 'normalHours', timeZone: 'UTC' };
const form: BuilderForm = newForm({ channel: 'C0TEAM', threadTs: null }, hours);

const calendarsOf = (count: number): CalendarDefinition[] => [
  { id: null, name: 'normalHours', timeZone: 'UTC', workingTimes: [], holidays: [] },
  ...Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: `${names[i % names.length]} ${i}`,
    timeZone: 'UTC',
    workingTimes: [],
    holidays: [],
  })),
];

const setsOf = (count: number): ParameterSet[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `set-${i}`,
    name: names[i % names.length] ?? '',
    ownerId: 'ada',
    public: i % 2 === 0,
    report: {},
    createdAt: 0,
    updatedAt: 0,
  }));

const factsOf = (count: number, more: Partial<BuilderFacts> = {}): BuilderFacts => ({
  reportTypes: offeredReports(reports),
  calendars: calendarsOf(count),
  sets: setsOf(count),
  takesStatistic: true,
  names: new Map(),
  canSave: true,
  ...more,
});

test.each([0, 1, 10, 100, 1_000, 10_000])('%i calendars and saved reports fit', (count) => {
  const view = builderView({ ...form, calendar: '1', saved: 'set-0' }, factsOf(count));
  expect(checkView(view)).toEqual([]);
  if (count > 0) expect(JSON.stringify(view)).toContain('Berlin 0');
});

test('whatever was entered fits, with everything wrong at once, and is read back as it was', () => {
  const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(...names));
  const anyForm = fc.record({
    report: fc.constantFrom('statusDuration', 'weekly', 'aging', 'sprint', 'currentStateAge', 'gone'),
    projects: fc.uniqueArray(fc.constantFrom('WEB', 'שדה', 'x'.repeat(150)), { maxLength: 3 }),
    sprint: fc.constantFrom('', 'WEB Sprint 3'),
    savedFilter: fc.constantFrom('', '10001'),
    people: fc.uniqueArray(fc.constantFrom('ada', 'bob'), { maxLength: 2 }),
    jql: anyText,
    range: fc.constantFrom('any', 'last 30 days', 'last 14 days', 'dates', 'this quarter'),
    from: fc.constantFrom('', '2026-03-01'),
    to: fc.constantFrom('', '2026-03-31'),
    groupBy: fc.uniqueArray(fc.constantFrom('assignee', 'project', 'customfield_10016', 'שדה'), {
      maxLength: 3,
    }),
    statistic: fc.constantFrom('average', 'p85', 'p99.5', 'list'),
    saveAs: anyText,
    isPublic: fc.boolean(),
    withBacklog: fc.boolean(),
    leavesOut: fc.boolean(),
    isJqlLeftOut: fc.constant(false),
  });
  fc.assert(
    fc.property(anyForm, fc.boolean(), fc.boolean(), anyText, (given, takesStatistic, canSave, sentence) => {
      const entered = { ...form, ...given };
      const wrong = {
        jql: sentence || '-',
        target: sentence || '-',
        'save-as': sentence || '-',
        from: '-',
      };
      const view = builderView(entered, factsOf(3, { takesStatistic, canSave }), wrong);
      expect(checkView(view)).toEqual([]);
      // Nothing entered yet: Slack sends what the fields hold from the start.
      expect(readBack(view)).toEqual({
        ...entered,
        // What a sprint report has no field for is kept, all but what is typed.
        jql: entered.report === 'sprint' ? '' : entered.jql.trim(),
        // What cannot be saved has no name.
        saveAs: isReport(entered) ? expect.stringMatching(canSave ? /^/ : /^$/) : entered.saveAs,
        isPublic: entered.isPublic && (canSave || !isReport(entered)),
      });
    }),
  );
});

/** The form as Slack would send it when nothing was touched. */
function readBack(view: ReturnType<typeof builderView>): BuilderForm {
  const values: Record<string, Record<string, object>> = {};
  for (const block of view.blocks) {
    if (!('element' in block)) continue;
    const element: Record<string, unknown> = { ...block.element };
    const id = String(element.action_id);
    values[block.block_id ?? ''] = {
      [id]: {
        type: element.type,
        ...(element.initial_option === undefined ? {} : { selected_option: element.initial_option }),
        ...(element.initial_options === undefined ? {} : { selected_options: element.initial_options }),
        ...(element.initial_date === undefined ? {} : { selected_date: element.initial_date }),
        ...(element.initial_value === undefined ? {} : { value: element.initial_value }),
      },
    };
  }
  return reportBuilderForm.read({
    ...readInputs(values as Parameters<typeof readInputs>[0]),
    metadata: view.private_metadata ?? '',
  });
}

describe('a question that was asked fills the form', () => {
  const measured = { calendar: '7', timeZone: 'Europe/Berlin' };
  const selection = { by: 'project', project: 'WEB' } as const;
  test.each([
    [
      { kind: 'weekly', selection, week: 'this', ...measured },
      { report: 'weekly', projects: ['WEB'], week: 'this' },
    ],
    [
      { kind: 'aging', selection, ...measured },
      { report: 'aging', projects: ['WEB'], withBacklog: false },
    ],
    [
      { kind: 'aging', selection, backlog: true, ...measured },
      { report: 'aging', projects: ['WEB'], withBacklog: true },
    ],
    [
      { kind: 'sprint', sprint: 'WEB Sprint 3', selection: null, ...measured },
      { report: 'sprint', sprint: 'WEB Sprint 3', projects: [] },
    ],
    [
      { kind: 'sprint', sprint: null, selection, ...measured },
      { report: 'sprint', projects: ['WEB'] },
    ],
    [
      { kind: 'sprint', sprint: null, selection: null, ...measured },
      { report: 'sprint', projects: [], sprint: '' },
    ],
  ] as const)('%j', (question, expected) => {
    expect(formOfQuestion(question, form)).toMatchObject({ ...expected, calendar: '7' });
  });
});

describe('a query longer than its field', () => {
  const long = Array.from({ length: 300 }, (_, i) => `key = WEB-${i}`).join(' or ');

  test('is never cut: the field is empty, must be filled, and says why, until something is entered', () => {
    const facts = factsOf(1);
    const view = builderView({ ...form, jql: long, saved: 'set-0' }, facts);
    const text = JSON.stringify(view);
    expect(checkView(view)).toEqual([]);
    expect(text).not.toContain('key = WEB-0');
    expect(text).toContain('The query is too long for the builder');
    expect(text).toContain('`/tis saved Berlin` runs the whole query');
    expect(view.blocks.find(({ block_id: id }) => id === 'jql.0')).toMatchObject({ optional: false });
    const again = reportBuilderForm.read({ ...readInputs({}), metadata: view.private_metadata ?? '' });
    expect(JSON.stringify(builderView(again, facts))).toContain('The query is too long');
    const entered = builderView({ ...again, jql: 'project = WEB' }, facts);
    expect(JSON.stringify(entered)).not.toContain('too long');
  });

  test('of a question that was never saved, what helps is said too', () => {
    const text = JSON.stringify(builderView({ ...form, jql: long }, factsOf(0)));
    expect(text).toContain('Save the query as a filter');
  });

  test('one that just fits is shown whole', () => {
    const jql = 'x'.repeat(3_000);
    expect(JSON.stringify(builderView({ ...form, jql }, factsOf(0)))).toContain(jql);
  });
});

describe('a query that the menus can show is shown by them', () => {
  const asked = (jql: string) => {
    const question = { kind: 'aging', calendar: '7', timeZone: 'UTC', selection: { by: 'jql', jql } };
    return formOfQuestion(question, form);
  };
  test.each([
    ['project in ("WEB", "APP")', { projects: ['WEB', 'APP'] }],
    ['(project = "WEB") AND (assignee in ("ada", "bob"))', { projects: ['WEB'], people: ['ada', 'bob'] }],
    ['assignee = ada', { people: ['ada'] }],
    ['sprint = "A AND B"', { jql: 'sprint = "A AND B"' }],
    ['filter = 10001 AND sprint = 7', { savedFilter: '10001', sprint: '7' }],
    ['project = WEB AND status = Done', { jql: 'project = WEB AND status = Done' }],
    ['project = WEB AND project = APP', { jql: 'project = WEB AND project = APP' }],
    ['assignee = EMPTY', { jql: 'assignee = EMPTY' }],
    ['sprint in ("A", "B")', { jql: 'sprint in ("A", "B")' }],
  ])('%s', (jql, fields) => {
    expect(asked(jql)).toMatchObject({ ...noIssues, ...fields });
  });
});

describe('a named week', () => {
  test.each(['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'UTC'])(
    'of %s is kept',
    (timeZone) => {
      const question = {
        kind: 'weekly',
        selection: { by: 'project', project: 'WEB' },
        week: Date.parse('2026-03-12T12:00:00Z'),
        calendar: '7',
        timeZone,
      } as const;
      const filled = formOfQuestion(question, form);
      const view = builderView(filled, factsOf(0, { takesStatistic: false }));
      expect(JSON.stringify(view)).toContain('"text":"Week 2026-W11"');
      expect(checkView(view)).toEqual([]);
      expect(readBack(view).week).toBe(filled.week);
    },
  );
});

describe('a saved report fills the form', () => {
  const calendars = calendarsOf(1);
  const load = (parameters: Readonly<Record<string, unknown>>) => {
    const [set] = setsOf(1);
    if (set === undefined) throw new Error('there is no set');
    const given = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB', ...parameters };
    return formOfSaved({ ...set, report: readParameters(given) }, form, {
      calendars,
      reportTypes: factsOf(0).reportTypes,
    });
  };
  const query = (customjql: string) => load({ filterType: 'customjql', projectKey: '', customjql });

  test.each([
    ['(project = WEB) OR (project = APP) AND created >= -30d', 'any'],
    ['(summary ~ "(") OR (summary ~ ")") AND created >= -30d', 'any'],
  ])('%s only looks like ours and stays whole', (jql, range) => {
    expect(query(jql)).toMatchObject({ jql, range });
  });

  test.each([
    ['(status = Done) AND created >= -30d', 'status = Done'],
    ['((a = 1) OR (b = 2)) AND created >= -30d', '(a = 1) OR (b = 2)'],
    ['(summary ~ ") OR (") AND created >= -30d', 'summary ~ ") OR ("'],
  ])('%s is a query and a time', (jql, rest) => {
    expect(query(jql)).toMatchObject({ jql: rest, range: 'last 30 days' });
  });

  test.each<[Readonly<Record<string, unknown>>, boolean]>([
    [{ calendar: 'gone' }, true],
    [{ projectKey: '' }, true],
    [{ filterType: 'team' }, true],
    [{ issueKey: 'WEB-1' }, true],
    [{ startDate: '2026-02-30' }, true],
    [{ startDate: '2026-03-01', dateRangeField: 'moved' }, true],
    [{ aggregationType: 'mode' }, true],
    [{ groupByFields: ['a', 'b', 'c', 'd'] }, true],
    [{ groupByFields: ['a', 'b', 'c'] }, false],
    [{ ['z'.repeat(2_900)]: '1' }, true],
    [{ startDate: '2026-03-01', endDate: '2026-03-05', dateRangeField: 'Resolved' }, false],
  ])('%j: whether there is more than it can show', (parameters, leavesOut) => {
    expect(load(parameters)).toMatchObject({ leavesOut });
  });
});

test('parentheses in quotes are text, and a quote that stays open closes nothing', () => {
  expect(['(a)', '")"', "'\\')'", '()()'].map(isClosed)).toEqual([true, true, true, true]);
  expect([')(', '(', '"', '"a" \')'].map(isClosed)).toEqual([false, false, false, false]);
});

test('a time that moves stands before the order, whatever is quoted in it', () => {
  const request = ask({
    principal: principalOf('ada'),
    reportType: 'statusDuration',
    selection: { by: 'jql', jql: 'project = WEB order by "Story Points" desc' },
  });
  const range = { field: 'created', when: { by: 'days', days: 30 } } as const;
  expect(parametersOf(savedReportOf({ request, range }, { from: '', to: '' })).customjql).toBe(
    '(project = WEB) AND created >= -30d order by "Story Points" desc',
  );
});

test.each(['back`tick', 'two\nlines', 'x'.repeat(151)])('nothing is saved as %j', (saveAs) => {
  const inputs = { ...readInputs({}), texts: { 'save-as': saveAs } };
  const person = { principal: principalOf('U0ADA'), userName: 'ada' };
  const submission = { ...inputs, ...person, metadata: JSON.stringify(form) };
  expect(reportBuilder.wrongAtOnce?.(submission, 0)).toEqual({
    'save-as.0': expect.stringContaining('Try: at most 150 characters without backticks'),
  });
});
