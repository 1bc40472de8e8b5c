import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkView } from '../../../src/block-kit/check-view.ts';
import type { CalendarDefinition, ParameterSet } from '../../../src/model/settings.ts';
import { reports } from '../../../src/reports/index.ts';
import type { BuilderFacts } from '../../../src/slack/builder/builder-facts.ts';
import { type BuilderForm, isReport, newForm } from '../../../src/slack/builder/builder-form.ts';
import { builderView } from '../../../src/slack/builder/builder-view.ts';
import { formOfQuestion } from '../../../src/slack/builder/form-of-question.ts';
import { readBuilder } from '../../../src/slack/builder/read-builder.ts';
import { offeredReports } from '../../../src/slack/exports/offered-reports.ts';
import { readInputs } from '../../../src/slack/read-inputs.ts';

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
    parameters: {},
    createdAt: 0,
    updatedAt: 0,
  }));

const factsOf = (count: number, more: Partial<BuilderFacts> = {}): BuilderFacts => ({
  reportTypes: offeredReports(reports),
  calendars: calendarsOf(count),
  sets: setsOf(count),
  takesStatistic: true,
  maySave: true,
  ...more,
});

test.each([0, 1, 10, 100, 1_000, 10_000])(
  '%i calendars and saved reports fit, and are searched where they are many',
  (count) => {
    const view = builderView({ ...form, calendar: '1', saved: 'set-0' }, factsOf(count));
    expect(checkView(view)).toEqual([]);
    expect(
      JSON.stringify(view).includes('external_select","min_query_length":0,"action_id":"builder-calendar"'),
    ).toBe(count >= 100);
    if (count > 0) expect(JSON.stringify(view)).toContain('Berlin 0');
  },
);

test('whatever was entered fits, with everything wrong at once, and is read back as it was', () => {
  const anyText = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(...names));
  const anyForm = fc.record({
    report: fc.constantFrom('statusDuration', 'weekly', 'aging', 'currentStateAge', 'gone'),
    filter: anyText,
    range: fc.constantFrom('any', 'last 30 days', 'last 14 days', 'dates', 'this quarter'),
    from: fc.constantFrom('', '2026-03-01'),
    to: fc.constantFrom('', '2026-03-31'),
    groupBy: fc.uniqueArray(fc.constantFrom('assignee', 'project', 'customfield_10016', 'שדה'), {
      maxLength: 3,
    }),
    statistic: fc.constantFrom('average', 'p85', 'p99.5', 'list'),
    saveAs: anyText,
    isPublic: fc.boolean(),
    untold: fc.array(fc.constantFrom('statuses', 'trimHistoryStartDate', 'x'.repeat(50)), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(anyForm, fc.boolean(), fc.boolean(), anyText, (given, takesStatistic, maySave, sentence) => {
      const entered = { ...form, ...given };
      const wrong = {
        filter: sentence || '-',
        target: sentence || '-',
        'save-as': sentence || '-',
        from: '-',
      };
      const view = builderView(entered, factsOf(3, { takesStatistic, maySave }), wrong);
      expect(checkView(view)).toEqual([]);
      // Nothing entered yet: Slack sends what the fields hold from the start.
      expect(readBack(view)).toEqual({
        ...entered,
        filter: entered.filter.trim(),
        // What cannot be saved has no name.
        saveAs: isReport(entered) ? expect.stringMatching(maySave ? /^/ : /^$/) : entered.saveAs,
        isPublic: entered.isPublic && (maySave || !isReport(entered)),
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
  return readBuilder({
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
      { report: 'weekly', filter: 'project WEB', week: 'this' },
    ],
    [
      { kind: 'aging', selection, ...measured },
      { report: 'aging', filter: 'project WEB' },
    ],
    [
      { kind: 'issue', key: 'WEB-1', ...measured },
      { report: 'statusDuration', filter: 'WEB-1', range: 'any' },
    ],
    [
      { kind: 'mine', ...measured },
      { report: 'aging', filter: 'assignee me' },
    ],
  ] as const)('%j', (question, expected) => {
    expect(formOfQuestion(question, form)).toMatchObject({ ...expected, calendar: '7' });
  });
});
