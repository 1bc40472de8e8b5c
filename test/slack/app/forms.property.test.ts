import type { ModalView } from '@slack/types';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { createInputState } from '../../../playground/block-elements.ts';
import { objectsOf } from '../../../playground/slack-json.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import { dateRangeFields } from '../../../src/model/request.ts';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { readInputs } from '../../../src/slack/app/form-inputs.ts';
import { offeredReports } from '../../../src/slack/ask/grammar/parse-options.ts';
import { calendarIdOf } from '../../../src/slack/ask/grammar/read-calendar.ts';
import { shareForm } from '../../../src/slack/ask/share-answer.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { type BuilderForm, isReport, newForm, noIssues } from '../../../src/slack/builder/builder-form.ts';
import { builderView, reportBuilderForm } from '../../../src/slack/builder/builder-view.ts';
import { settingsForm } from '../../../src/slack/channels/settings-form.ts';
import { coverForm } from '../../../src/slack/delegates/cover-form.ts';
import { digestForm } from '../../../src/slack/digests/digest-form.ts';
import { exportForm } from '../../../src/slack/exports/export-form.ts';
import { flowForm } from '../../../src/slack/flow/flow-form.ts';
import { reasonForm, snoozeForm } from '../../../src/slack/nudges/answer-nudge.ts';
import { nudgeForm } from '../../../src/slack/nudges/nudge-form.ts';
import { watchForm } from '../../../src/slack/watches/watch-form.ts';
import { anIssueAnswer } from '../../support/an-answer.ts';
import { berlinOffice } from '../../support/watch-office.ts';

/** The inputs of a view as Slack sends them when nothing was touched, and its metadata. */
function untouched(view: ModalView) {
  expect(checkView(view)).toEqual([]);
  const values = createInputState().valuesOf('U0ADA V1', objectsOf(view.blocks));
  const inputs = readInputs(values as unknown as Parameters<typeof readInputs>[0]);
  return { ...inputs, metadata: view.private_metadata ?? '' };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.constantFrom('', '<!channel> & *b*', 'שעות עבודה', 'two\nlines', ' blanks '),
);
const day = fc.constantFrom('2026-03-01', '2026-03-31');
const instant = fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1000);
const place = fc.record({
  channel: fc.constantFrom('C0TEAM', 'D0ADA'),
  threadTs: fc.option(fc.constant('1773835200.000100')),
});
/** Calendars, as many as a menu holds beside its first option. */
const calendars: readonly CalendarDefinition[] = Array.from({ length: 99 }, (_, id) => ({
  ...berlinOffice,
  ...{ id, name: `Office ${id}` },
}));
const calendar = fc.constantFrom(...calendars.map(calendarIdOf));
const keys = (max: number) =>
  fc.uniqueArray(fc.constantFrom('WEB', 'APP', 'שדה', 'X1', 'X2', 'X3'), { maxLength: max });

test('a digest that is untouched is read as it was shown', () => {
  const values = fc.record({
    ...{ id: fc.option(fc.constant('d1')), at: place, question: text, when: text, timeZone: text },
    place: fc.constantFrom('channel', 'owner'),
    channel: fc.constantFrom('', 'C0TEAM'),
    workingDays: fc.oneof(fc.constant('none'), calendar),
    file: fc.constantFrom('none', 'csv', 'xlsx'),
    title: text.map((title) => title.trim()),
  });
  fc.assert(
    fc.property(values, fc.option(text), (form, wrong) => {
      expect(digestForm.read(untouched(digestForm.view(form, calendars, wrong)))).toEqual(form);
    }),
  );
});

test.each([0, 3, 100, 101])('a watch over %i statuses that is untouched is read as it was shown', (count) => {
  const statuses = Array.from({ length: count }, (_, i) => `Status ${i}`);
  const isMenu = count > 0 && count <= 100;
  const values = fc.record({
    place: fc.constant('C0TEAM'),
    status: isMenu ? fc.constantFrom(...statuses) : text,
    ...{ threshold: text, filter: text, calendar, tells: fc.constantFrom('assignee', 'owner') },
  });
  fc.assert(
    fc.property(values, (form) => {
      const view = watchForm.view(form, { statuses, calendars, lead: [] });
      expect(watchForm.read(untouched(view))).toEqual(form);
    }),
  );
});

test('an export that is untouched is read as it was shown', () => {
  const reportTypes = offeredReports(reports);
  const values = fc
    .record({
      ...{ run: text, place, issues: text, hasFigures: fc.boolean() },
      ...{ reportType: fc.constantFrom(...reportTypes.map(({ id }) => id)), isOther: fc.boolean() },
      format: fc.constantFrom('xlsx', 'csv', 'json'),
      unit: fc.constantFrom('hours', 'days'),
      target: fc.constantFrom('me', 'here'),
    })
    .map(({ isOther, ...form }) => ({
      ...form,
      report: form.hasFigures && (isOther || form.issues === '') ? 'figures' : form.reportType,
      target: form.place.channel === 'D0ADA' ? ('me' as const) : form.target,
    }));
  fc.assert(
    fc.property(values, fc.option(text), (form, wrong) => {
      expect(exportForm.read(untouched(exportForm.view(form, { reportTypes, wrong })))).toEqual(form);
    }),
  );
});

test('a flow that is untouched is read as it was shown', () => {
  const statuses = Array.from({ length: 100 }, (_, id) => ({ id: String(id), name: `Status ${id % 90}` }));
  const ids = statuses.map(({ id }) => id);
  const some = fc.subarray(ids);
  const offered = { resolutions: ["Won't Do", 'שדה'], issueTypes: ['Bug'] };
  const values = fc.record({
    ...{ project: fc.constant('WEB'), channel: fc.constant('C0TEAM'), revision: fc.nat(), round: fc.nat(9) },
    ...{ queue: some, active: some, waiting: some, done: some, start: fc.constantFrom('', ...ids) },
    target: fc.constantFrom('', '85% within 8 days'),
    ...{ pauses: fc.boolean(), subtasks: fc.boolean(), blockers: fc.subarray(['flag', 'links']) },
    ...{ blockedStatuses: some, resolutions: fc.subarray(offered.resolutions) },
    issueTypes: fc.subarray(offered.issueTypes),
  });
  const flow = {
    ...{
      projectKey: 'WEB',
      revision: 1,
      isDefault: false,
      pauses: false,
      target: { percent: 85, days: 8 },
      start: null,
      end: 'Live',
      changes: [],
    },
    stages: [{ name: 'Done', kind: 'done' as const, statuses }],
    blockedBy: { flag: true, links: true, statuses: [] },
    notCounted: { ...offered, subtasks: false },
    variants: [
      { issueTypes: ['Bug', '*b*'], stages: [], start: null, end: null, pauses: false, target: null },
    ],
    unplaced: [],
  };
  fc.assert(
    fc.property(
      values,
      fc.option(text),
      fc.option(fc.constant(['Finished: 1 → *2*'])),
      (form, wrong, preview) => {
        const choices = { flow, offered, changed: 'Last changed by Ada.', preview };
        expect(flowForm.read(untouched(flowForm.view(form, choices, wrong)))).toEqual(form);
      },
    ),
  );
});

test('settings that are untouched are read as they were shown, and as they were opened', () => {
  const state = { data: ['Data'], slack: [], you: 'You', version: 'Dwell' };
  const own = { 'my-calendar': calendar, 'project-menu:mine': keys(5) };
  const here = {
    ...{ 'project-menu:shared': keys(6), 'project-menu:guests': keys(6), calendar },
    ...{ 'zone-menu': fc.constantFrom('', 'America/New_York'), links: fc.boolean() },
  };
  const values = fc.record({ channel: fc.constant('C0TEAM'), opened: fc.constant({}), ...own, ...here });
  const choices = { calendars, state, sharing: 'All of it.', hasList: true };
  fc.assert(
    fc.property(values, (form) => {
      const entered = untouched(settingsForm.view(form, choices));
      const { opened, ...read } = settingsForm.read(entered);
      expect({ ...read, opened: {} }).toEqual(form);
      const { chosen, chosenAll } = entered;
      const sent = Object.entries({ 'zone-menu': [], ...chosen, ...chosenAll });
      expect(opened).toEqual(Object.fromEntries(sent.map(([id, value]) => [id, [value].flat()])));
    }),
  );
});

test('a nudge that is untouched is read as it was shown', () => {
  const thread = fc.option(fc.constant({ channel: 'C0TEAM', threadTs: '1773835200.000100' }));
  const values = fc.record({
    ...{ run: text, key: fc.constant('WEB-1'), place, thread, to: fc.constant('U0BEN') },
    comment: text,
  });
  const { value: issue } = anIssueAnswer();
  const covers = fc.option(fc.record({ id: fc.option(text), name: text }));
  fc.assert(
    fc.property(values, covers, (form, covered) => {
      const visit = { statusId: 'Doing', since: null };
      const person = { id: 'ben', name: 'Ben' };
      const more = { link: null, visit, person, account: 'U0BEN', by: 'U0ADA', day: '2026-03-18' };
      const input = { ...more, key: form.key, thread: form.thread };
      expect(nudgeForm.read(untouched(nudgeForm.view(form, { issue, covers: covered, input })))).toEqual(
        form,
      );
    }),
  );
});

test('an answer to a nudge that is untouched is read as it was shown', () => {
  const target = {
    ...{ id: text, channel: fc.constant('D0BEN'), ts: fc.constant('1773835200.000100') },
    ...{ key: fc.constant('WEB-1'), readers: fc.constant('to <@U0ADA>') },
  };
  fc.assert(
    fc.property(fc.record({ ...target, reason: text }), (form) => {
      expect(reasonForm.read(untouched(reasonForm.view(form, null)))).toEqual(form);
    }),
  );
  fc.assert(
    fc.property(fc.record({ ...target, until: instant }), (form) => {
      expect(snoozeForm.read(untouched(snoozeForm.view(form, null)))).toEqual(form);
    }),
  );
});

test('a comment on a shared answer that is untouched is read as it was shown', () => {
  fc.assert(
    fc.property(fc.record({ run: text, place, comment: text }), (form) => {
      expect(shareForm.read(untouched(shareForm.view(form, null)))).toEqual(form);
    }),
  );
});

test('a cover that is untouched is read as it was shown, in days or in times', () => {
  const categories = [1, 2, 3].map((id) => ({ id, name: `Category ${id}`, description: '' }));
  const people = { owner: fc.option(fc.constant('U0ADA')), delegates: fc.subarray(['U0BOB', 'U0CARL']) };
  const more = { place, categoryIds: fc.subarray([1, 2, 3]), notes: text };
  const noDays = { first: fc.constant(''), last: fc.constant('') };
  const noTimes = { from: fc.constant(null), until: fc.constant(null) };
  const values = fc.oneof(
    fc.record({ ...people, ...more, ...noTimes, first: day, last: day }),
    fc.record({ ...people, ...more, ...noDays, from: instant, until: instant }),
  );
  fc.assert(
    fc.property(values, fc.option(text), (form, wrong) => {
      expect(coverForm.read(untouched(coverForm.view(form, categories, wrong)))).toEqual(form);
    }),
  );
});

test('a report builder that is untouched is read as it was shown', () => {
  const usual = newForm({ channel: 'C0TEAM', threadTs: null }, { calendar: 'normalHours', timeZone: 'UTC' });
  const values = fc
    .record({
      ...{ place, filled: fc.nat(3), saved: fc.constantFrom('', 'gone'), leavesOut: fc.boolean() },
      report: fc.constantFrom('statusDuration', 'weekly', 'aging', 'sprint', 'a new one'),
      ...{
        projects: keys(6),
        people: fc.subarray(['ada', 'bob']),
        groupBy: fc.subarray(['assignee', 'project']),
      },
      ...{ sprint: fc.constantFrom('', 'Sprint 3'), savedFilter: fc.constantFrom('', '10001') },
      jql: text.map((jql) => jql.trim()),
      week: fc.constantFrom<BuilderForm['week']>('last', 'this', Date.parse('2026-03-12T12:00:00Z')),
      range: fc.constantFrom('any', 'last 14 days', 'dates'),
      dateField: fc.constantFrom(...dateRangeFields),
      ...{ from: fc.oneof(fc.constant(''), day), to: fc.oneof(fc.constant(''), day) },
      ...{
        statistic: fc.constantFrom('average', 'p99.5'),
        target: fc.constantFrom('answer', 'csv me'),
        calendar,
      },
      ...{ saveAs: text.map((name) => name.trim()), isPublic: fc.boolean(), withBacklog: fc.boolean() },
    })
    .map((form) => ({ ...usual, ...form, ...(form.report === 'sprint' && { jql: noIssues.jql }) }));
  const facts = {
    reportTypes: offeredReports(reports),
    calendars,
    sets: [],
    names: new Map(),
    canSave: true,
  };
  fc.assert(
    fc.property(values, (form) => {
      const view = builderView(form, { ...facts, takesStatistic: isReport(form) });
      expect(reportBuilderForm.read(untouched(view))).toEqual(form);
    }),
  );
});
