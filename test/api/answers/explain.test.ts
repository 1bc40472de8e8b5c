import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Directory } from '../../../src/model/directory.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { defaultStatistic } from '../../../src/model/request.ts';
import type { AnyQuestion } from '../../support/any-question.ts';
import { principalOf } from '../../support/principal-of.ts';
import { refusal } from '../delegations/an-office.ts';
import { ada, always, at, cut, peopledReporting, through, web, withPerson } from './a-team.ts';
import { flowOfWeb } from './some-flows.ts';
import { aReport, aSide, teamAnswers } from './team-answers.ts';

const now = at('03-11T15:00');
const noFigure = ['not-found', 'This figure is not in the answer.', expect.any(String)];

const reviewed = through(
  1,
  '03-02T08:00 1',
  '03-04T08:00 3',
  '03-05T08:00 4',
  '03-06T08:00 3',
  '03-11T14:00 4',
);
const issue: AnyQuestion = { kind: 'issue', key: 'web-1', ...always };

async function over(
  world: readonly Issue[],
  directory: Partial<Directory> = {},
  flows: readonly ProjectFlow[] = [],
) {
  const reporting = peopledReporting(world, () => now, directory, flows);
  return (await teamAnswers({ reporting, now: () => now })).answers;
}

/** The explanation of the figure that a question's answer offers under a title. */
async function why(
  world: readonly Issue[],
  question: AnyQuestion,
  title: string,
  flows: readonly ProjectFlow[] = [],
) {
  const answers = await over(world, {}, flows);
  const choices = answers.figures(await answers.answer(ada, question, now));
  const choice = choices.find((one) => one.title === title);
  if (choice === undefined) throw new Error(`There is only ${choices.map((one) => one.title).join(', ')}`);
  return answers.explain(ada, question, now, choice.id);
}

describe('time in a status', () => {
  test('is told visit by visit, by the clock on the wall and by the calendar', async () => {
    const office: AnyQuestion = { ...issue, calendar: '1' };
    const explanation = await why([reviewed], office, 'Time in Review');
    expect(explanation).toMatchObject({
      title: 'Time of WEB-1 in Review',
      // Thursday, 5 March, from 9 to 12 and 13 to 17 in New York; and an hour of Wednesday.
      value: { kind: 'duration', value: 8 * millisecondsInHour },
      parts: [
        {
          label: 'Review',
          from: at('03-05T08:00'),
          until: at('03-06T08:00'),
          wallMs: millisecondsInDay,
          countedMs: 7 * millisecondsInHour,
          note: null,
        },
        {
          label: 'Review',
          from: at('03-11T14:00'),
          until: null,
          wallMs: millisecondsInHour,
          countedMs: millisecondsInHour,
          note: 'still running',
        },
      ],
      more: 0,
      calendar: { name: 'Office' },
      denominator: null,
      excluded: [],
      asOf: now,
    });
    expect(explanation.rules).toEqual([
      'All time in this status since work started.',
      'Only the working hours of Office count.',
    ]);
  });

  test('tells of a cut history where it begins and ends', async () => {
    const { parts, value, rules } = await why([cut(reviewed, 1, 2)], issue, 'Time of WEB-1 so far');
    expect(value?.value).toBe(now - at('03-02T08:00') - 2 * millisecondsInDay);
    expect(rules).toContain('Time without history is not counted.');
    expect(parts.map(({ label, countedMs, note }) => [label, countedMs, note])).toEqual([
      ['Open', 2 * millisecondsInDay, null],
      ['Doing', 0, 'history unknown after'],
      ['Doing', 5 * millisecondsInDay + 6 * millisecondsInHour, 'history unknown before'],
      ['Review', millisecondsInHour, 'still running'],
    ]);
  });

  test('tells what the window of a report cuts', async () => {
    const trim = { from: at('03-05T20:00'), to: at('03-10T08:00') };
    const { parts, value, rules } = await why([reviewed], aReport({ trim }), 'All of WEB-1');
    expect(value?.value).toBe(4.5 * millisecondsInDay);
    expect(parts.map(({ label, countedMs, note }) => [label, countedMs, note])).toEqual([
      ['Review', millisecondsInDay / 2, 'starts with the window'],
      ['Doing', 4 * millisecondsInDay, 'ends with the window'],
    ]);
    expect(rules).toContain('Only time within the chosen window counts.');
  });
});

describe('a figure of many issues', () => {
  const many = Array.from({ length: 40 }, (_, i) =>
    through(i + 1, [now - (i + 1) * millisecondsInHour, '3']),
  );

  test('names at most thirty parts, and those that add up still do', async () => {
    const { parts, more, value, denominator } = await why(many, aReport(), 'Doing, all issues together');
    expect(value).toEqual({ kind: 'duration', value: 820 * millisecondsInHour });
    expect(parts).toHaveLength(30);
    expect(parts[0]).toMatchObject({ label: 'WEB-40 Issue 40', countedMs: 40 * millisecondsInHour });
    expect(parts.at(-1)).toMatchObject({ label: '11 more together', countedMs: 66 * millisecondsInHour });
    expect([more, denominator]).toEqual([11, { counted: 40, of: 40 }]);
    expect(parts.reduce((sum, { countedMs }) => sum + (countedMs ?? 0), 0)).toBe(820 * millisecondsInHour);
  });

  test('tells which issues it is divided by, and why others are not among them', async () => {
    const world = [reviewed, through(2, '03-11T13:00 4'), through(3, '03-11T13:00 1')];
    const explanation = await why(
      [...world, { ...cut(reviewed, 0, 4), key: 'WEB-4' }],
      aReport({ statistic: defaultStatistic }),
      'Review',
    );
    expect(explanation).toMatchObject({
      value: { kind: 'duration', value: (25 * millisecondsInHour + 2 * millisecondsInHour) / 2 },
      denominator: { counted: 2, of: 4 },
      excluded: [
        { key: 'WEB-4', reason: 'its history is not complete: moved in from elsewhere' },
        { key: 'WEB-3', reason: 'no value here' },
      ],
    });
    expect(explanation.rules).toContain('Average of these values: their sum divided by their count.');
  });

  test('tells of a group its own issues alone', async () => {
    const statistic = { ...defaultStatistic, type: 'sum' } as const;
    const world = [withPerson(reviewed, 'bob'), through(2, '03-11T13:00 4')];
    const { parts } = await why(world, aReport({ statistic, groupBy: ['assignee'] }), 'Review · BOB');
    expect(parts.map(({ label }) => label)).toEqual(['WEB-1 Issue 1']);
  });

  test('says when issues were finished of cycle times, and not of the time in one status', async () => {
    const finished = through(1, '03-03T08:00 3', '03-03T10:00 4', '03-03T18:00 5');
    const question: AnyQuestion = { kind: 'weekly', selection: web, week: 'last', ...always };
    const untils = async (title: string) =>
      (await why([finished], question, title)).parts.map(({ countedMs, until }) => [countedMs, until]);
    expect(await untils('Cycle time, median')).toEqual([[10 * millisecondsInHour, at('03-03T18:00')]]);
    expect(await untils('Average time in Doing')).toEqual([[2 * millisecondsInHour, null]]);
  });

  test('says of a cycle time why some finished issues have none', async () => {
    const week = [through(1, '03-03T08:00 3', '03-03T18:00 5'), through(2, '03-03T08:00 1', '03-04T08:00 5')];
    const question: AnyQuestion = { kind: 'weekly', selection: web, week: 'last', ...always };
    expect(await why(week, question, 'Cycle time, median')).toMatchObject({
      title: 'Median cycle time of issues finished in week 10',
      value: { value: 10 * millisecondsInHour },
      parts: [{ label: 'WEB-1 Issue 1', until: at('03-03T18:00'), countedMs: 10 * millisecondsInHour }],
      denominator: { counted: 1, of: 2 },
      excluded: [{ key: 'WEB-2', reason: 'it was never in a started status' }],
    });
  });
});

test('a usual stay is explained by the visits that ended', async () => {
  const ended = [1, 2, 3, 4, 5].map((hours) =>
    through(hours, '03-02T08:00 4', [at('03-02T08:00') + hours * millisecondsInHour, '5']),
  );
  const question: AnyQuestion = { kind: 'aging', selection: web, ...always };
  const waiting = through(6, '03-11T13:00 4');
  const { title, value, parts, rules } = await why(
    [...ended, waiting],
    question,
    'WEB-6: usual time in Review',
  );
  expect([title, value]).toEqual(['Usual time in Review for WEB', { kind: 'duration', value: 15_840_000 }]);
  expect(parts.map(({ label, countedMs }) => [label, countedMs])).toEqual(
    [5, 4, 3, 2, 1].map((hours) => [`WEB-${hours}`, hours * millisecondsInHour]),
  );
  expect(rules[1]).toContain('85th percentile');
});

describe('a target', () => {
  /** Finished in as many days as their number, on the days from March 2 on. */
  const finished = [1, 2, 3, 4, 5, 6].map((number) =>
    through(number, '02-10T08:00 1', '03-02T08:00 3', `03-0${number + 2}T08:00 5`),
  );
  const neverStarted = through(7, '03-02T08:00 1', '03-03T08:00 5');
  const open = [through(8, '03-02T08:00 3'), through(9, '03-11T08:00 4'), through(10, '03-06T14:00 3')];
  const world = [...finished, neverStarted, ...open, { ...cut(through(11, '03-01T08:00 3'), 0, 0) }];
  const aging: AnyQuestion = { kind: 'aging', selection: web, ...always };
  const days = (count: number) => count * millisecondsInDay;
  const kinds = { 1: 'queue', 3: 'active', 4: 'active', 5: 'done' } as const;
  const halfWithin = (count: number) => flowOfWeb(kinds, { target: { percent: 50, days: count } });

  test('that is learned is explained by the issues that were finished', async () => {
    const explanation = await why(world, aging, 'Target of WEB');
    expect(explanation).toMatchObject({
      title: 'Target of WEB',
      value: { kind: 'duration', value: days(5.25) },
      denominator: { counted: 6, of: 7 },
      excluded: [{ key: 'WEB-7', reason: 'it was never in a started status' }],
    });
    expect(explanation.parts.map(({ label, countedMs, until }) => [label, countedMs, until])).toEqual(
      [6, 5, 4, 3, 2, 1].map((number) => [
        `WEB-${number} Issue ${number}`,
        days(number),
        at(`03-0${number + 2}T08:00`),
      ]),
    );
    expect(explanation.rules.slice(0, 2)).toEqual([
      'Learned, as the flow of WEB sets no target: from the cycle times of its issues finished in the last 90 days (Dec 11, 2025 – Mar 11, 2026).',
      '85th percentile (p85) of these values, interpolated as in spreadsheets: 85% took this long or less.',
    ]);
  });

  test('that was set is explained by the flow, and by how many kept within it', async () => {
    const inOffice: AnyQuestion = { ...aging, calendar: '1' };
    const explanation = await why(world, inOffice, 'Target of WEB: 50% within 2 days', halfWithin(2));
    expect(explanation.value).toEqual({ kind: 'duration', value: 14 * millisecondsInHour });
    expect(explanation.rules).toEqual([
      'Set in the flow of WEB: 50% within 2 days from start to done.',
      'A day is a working day of the calendar: 7h.',
      'Of 6 issues finished in the last 90 days (Dec 11, 2025 – Mar 11, 2026), 2 kept within it.',
      'Cycle time: from the first started status until finished.',
      'Only the working hours of Office count.',
    ]);
  });

  test('is missed by the issues that are named first, and reached next by those that follow', async () => {
    const explanation = await why(world, aging, 'Missed their target');
    expect(explanation).toMatchObject({
      value: { kind: 'count', value: 1 },
      denominator: { counted: 1, of: 3 },
      excluded: [],
    });
    expect(explanation.parts.map(({ label, countedMs, note }) => [label, countedMs, note])).toEqual([
      ['WEB-8 Issue 8', now - at('03-02T08:00'), 'missed Mar 7'],
      ['WEB-10 Issue 10', now - at('03-06T14:00'), 'due today'],
      ['WEB-9 Issue 9', now - at('03-11T08:00'), 'due Mar 16'],
    ]);
    expect(explanation.rules).toContain('Target of WEB, learned from the last 90 days.');
  });

  test('of a week is learned before it, and each issue finished in it kept within it or not', async () => {
    const before = finished.map((issue, i) => ({
      ...issue,
      key: `WEB-${i + 101}`,
      created: issue.created - days(14),
      changes: issue.changes.map((change) => ({ ...change, at: change.at - days(14) })),
    }));
    const weekly: AnyQuestion = { kind: 'weekly', selection: web, week: 'last', ...always };
    const target = await why([...world, ...before], weekly, 'Target of WEB');
    expect([target.value?.value, target.rules[0]]).toEqual([
      days(5.25),
      'Learned, as the flow of WEB sets no target: from the cycle times of its issues finished in the 90 days before the week (Dec 2, 2025 – Mar 1, 2026).',
    ]);
    const within = await why([...world, ...before], weekly, 'Finished within the target');
    expect(within).toMatchObject({
      title: 'Finished within the target in week 10',
      value: { kind: 'count', value: 5 },
      denominator: { counted: 5, of: 6 },
      excluded: [{ key: 'WEB-7', reason: 'it was never in a started status' }],
    });
    expect(within.parts.map(({ label, note }) => [label, note]).slice(0, 2)).toEqual([
      ['WEB-6 Issue 6', 'missed'],
      ['WEB-5 Issue 5', 'within'],
    ]);
    const set = await why(world, weekly, 'Target of WEB: 50% within 3 days', halfWithin(3));
    expect(set.value?.value).toBe(days(3));
  });
});

describe('what is no figure of an answer', () => {
  const questions: readonly AnyQuestion[] = [
    issue,
    aReport(),
    aReport({ statistic: { type: 'sum', denominator: 'all', deviation: 'sample', percentile: 0 } }),
    { kind: 'weekly', selection: web, week: 'last', ...always },
    { kind: 'aging', selection: web, ...always },
    { kind: 'mine', ...always },
    { kind: 'compare', sides: [aSide('A'), aSide('B')], ...always },
  ];

  test('is not found, whatever it says', async () => {
    const answers = await over([reviewed]);
    for (const question of questions) {
      for (const id of [
        ...' : nonsense stages: column:zzz cell:zzz:zzz cycleTime:mode:0 averageMs:zzz:1 withinMs:zzz usual:'.split(
          ' ',
        ),
        ...'target: target:WEB target:WEB:85:3600000 missed finishedWithin toString'.split(' '),
      ]) {
        expect([question.kind, id, await refusal(answers.explain(ada, question, now, id))]).toEqual([
          question.kind,
          id,
          noFigure,
        ]);
      }
    }
  });

  test('is not a target of a project that whoever asks may not see', async () => {
    const closed = { access: [{ kind: 'project', id: 'WEB', viewers: ['ada'] }] } as const;
    const seen = {
      ...through(2, '03-03T08:00 3'),
      key: 'APP-2',
      project: { id: '200', name: 'App' },
    };
    const answers = await over([reviewed, seen], closed);
    const question = { kind: 'aging', selection: { by: 'jql', jql: '' }, ...always } as const;
    const carl = principalOf('carl');
    const closedProject = await refusal(answers.explain(carl, question, now, 'target:WEB:50:3600000'));
    const noProject = await refusal(answers.explain(carl, question, now, 'target:NONE:50:3600000'));
    expect(closedProject).toEqual(JSON.parse(JSON.stringify(noProject).replaceAll('NONE', 'WEB')));
  });

  test('is not an issue that whoever asks may not see', async () => {
    const closed = { access: [{ kind: 'project', id: 'WEB', viewers: ['ada'] }] } as const;
    const answers = await over([reviewed, { ...through(2, '03-03T08:00 3'), key: 'APP-2' }], closed);
    const carl = principalOf('carl');
    const everything = { by: 'jql', jql: '' } as const;
    for (const [question, id] of [
      [issue, 'total'],
      [aReport({ selection: everything }), 'issue:WEB-1'],
      [{ kind: 'aging', selection: everything, ...always }, 'ageMs:WEB-1'],
    ] as const) {
      expect(await refusal(answers.explain(carl, question, now, id))).toEqual([
        'not-found',
        'The issue could not be found or you do not have permission to view it.',
        "issueKey 'WEB-1' could not be found.",
      ]);
    }
  });
});

test('a menu of figures holds at most a hundred', async () => {
  const world = Array.from({ length: 120 }, (_, i) =>
    through(i + 1, [now - (i + 1) * millisecondsInHour, '3']),
  );
  const answers = await over(world);
  const answer = await answers.answer(ada, { kind: 'aging', selection: web, ...always }, now);
  expect(answers.figures(answer)).toHaveLength(100);
});
