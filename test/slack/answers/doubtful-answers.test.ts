import { describe, expect, test } from '#jest';
import { weekText } from '../../../src/questions/weekly/week-text.ts';
import { answerView } from '../../../src/slack/answers/answer-view.ts';
import {
  aCompareAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  aRun,
  aWeeklyAnswer,
  noDoubts,
  provenanceOf,
} from '../../support/an-answer.ts';

type Answer = Parameters<typeof answerView>[0];

const viewOf = (answer: Answer) =>
  answerView(answer, {
    place: 'private',
    run: aRun(answer.question),
    part: { start: 0, size: 10 },
    sharedBy: null,
    timeZone: 'UTC',
  });
const textOf = (answer: Answer) => viewOf(answer).message.text;

const left = (...keys: readonly string[]) => keys.map((key) => ({ key, reason: 'nobody knows' }));

describe('where nobody can tell', () => {
  test('ages say how many issues are open, and of which it is unclear', () => {
    expect(textOf(anAgingAnswer(anAging([], { unknown: ['WEB-1', 'WEB-2', 'WEB-3'] })))).toMatch(
      /^3 open issues in WEB, of none of which it is known since when\./,
    );
    const doubts = { unclear: left('WEB-4'), withoutCategory: ['In Review'] };
    const text = textOf(anAgingAnswer(anAging([], { doubts })));
    expect(text).toMatch(/^No issue is known to be open in WEB, but of some nobody can tell\./);
    const unsure = provenanceOf(1, { complete: false });
    expect(textOf(anAgingAnswer(anAging([], { doubts, provenance: unsure })))).toContain('history complete');
    expect(text).toContain('The category of a status is not known (In Review)');
    expect(text).toContain('npm run dwell -- import statuses.json');
    expect(text).toContain('1 issue of which nobody can tell whether it is open or done (WEB-4)');
  });

  test('what waits on somebody counts what waits since nobody knows when', () => {
    expect(textOf(aMineAnswer(anAging([], { unknown: ['WEB-1'] })))).toMatch(
      /^1 open issue waits on you, of which it is not known since when\./,
    );
    const both = anAging([anAgingIssue('WEB-7', 3)], { unknown: ['WEB-1'] });
    expect(textOf(aMineAnswer(both))).toMatch(
      /^2 open issues wait on you; of 1 of them it is not known since when\./,
    );
    const doubts = { unclear: left('WEB-4'), withoutCategory: [] };
    expect(textOf(aMineAnswer(anAging([], { doubts })))).toContain(
      'Left out: 1 issue of which nobody can tell whether it waits: WEB-4 (nobody knows).',
    );
    const undecided = anAging([], { provenance: provenanceOf(0, { undecided: 2, complete: false }) });
    expect(textOf(aMineAnswer(undecided))).toMatch(/^No issue is known to wait on you/);
  });

  test('a week names what is done since nobody knows when, with the reasons below', () => {
    const doubts = { ...noDoubts, sinceUnknown: left('WEB-4', 'WEB-5') };
    const view = viewOf(aWeeklyAnswer({ doubts }));
    expect(view.message.text).toContain('2 more are done, but nobody knows since when (WEB-4, WEB-5).');
    expect(view.details.map(({ text }) => text).join('\n')).toContain('WEB-4: nobody knows');
  });

  test('a comparison says of which side', () => {
    const cut = { cutHistories: 3, complete: false };
    const text = textOf(
      aCompareAnswer({
        doubts: [noDoubts, { ...noDoubts, sinceUnknown: left('WEB-4') }],
        provenance: [provenanceOf(12, cut), provenanceOf(20, cut)],
      }),
    );
    expect(text).toContain('Red: Not complete: 3 of 12 histories cut.');
    expect(text).toContain('Blue: Not complete: 3 of 20 histories cut.');
    expect(text).toContain('Blue: 1 is done, but nobody knows since when (WEB-4).');
    expect(text).toContain('visits that still last as far as they came');
  });
});

test('counts and time of a week that still runs are held against no whole week', () => {
  const answer = aWeeklyAnswer();
  const running = { ...answer.value.week, whole: false };
  const whole = JSON.stringify(viewOf(answer).message.blocks);
  const part = JSON.stringify(viewOf(aWeeklyAnswer({ week: running })).message.blocks);
  expect(whole).toContain('3 more than the week before');
  expect(whole).toContain('In the week (change)');
  expect(part).not.toContain('3 more than the week before');
  expect(part).toContain('in the week before, which was whole');
  expect(part).toContain('In the week so far');
});

test('a week of another year tells its year', () => {
  const week = {
    id: '2025-W46',
    start: Date.parse('2025-11-10T00:00:00Z'),
    end: Date.parse('2025-11-17T00:00:00Z'),
  };
  expect(weekText(week, 'UTC', Date.parse('2026-11-18T12:00:00Z'))).toBe('week 46 of 2025 (10–16 Nov)');
  expect(weekText(week, 'UTC', Date.parse('2025-11-18T12:00:00Z'))).toBe('week 46 (10–16 Nov)');
  const labels = (asOf: string) =>
    viewOf(aWeeklyAnswer({ provenance: provenanceOf(60, { asOf: Date.parse(asOf) }) })).chart?.categories;
  expect(labels('2026-11-18T12:00:00Z')?.at(-1)).toBe('W46');
  expect(labels('2027-11-18T12:00:00Z')?.at(-1)).toBe('2026-W46');
});
