import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { timeline } from '../../../src/engine/visits/timeline.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';

const start = '2026-03-02T09:00:00Z';

/** The visits as people would write them down: status, then length in days. */
function visitTexts(issue: Issue, asOf = '2026-03-12T09:00:00Z', field = 'status') {
  const { visits } = timeline(issue, field, Date.parse(asOf));
  return visits.map(({ value, known, start: from, end, open }) => {
    const name = known ? (value?.name ?? 'empty') : 'unknown';
    return `${name} ${(end - from) / millisecondsInDay}${open ? ' open' : ''}`;
  });
}

describe('timeline', () => {
  test('opens at the creation with what the first change says it came from', () => {
    const { issue } = anIssue('WEB-1', start).moves('Doing', '2026-03-03T09:00:00Z', { from: 'Triage' });
    expect(visitTexts(issue)).toEqual(['Triage 1', 'Doing 9 open']);
  });

  test('is one open visit of the current value for an issue without any change', () => {
    expect(visitTexts(anIssue('WEB-1', start, 'Backlog').issue)).toEqual(['Backlog 10 open']);
  });

  test('leaves out what happens after the asked instant, and includes what happens at it', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-03-04T09:00:00Z')
      .moves('Done', '2026-03-06T09:00:00Z');
    expect(visitTexts(issue, '2026-03-03T09:00:00Z')).toEqual(['To Do 1 open']);
    expect(visitTexts(issue, '2026-03-06T09:00:00Z')).toEqual(['To Do 2', 'Doing 2', 'Done 0 open']);
  });

  test('knows nothing of an issue that did not exist yet', () => {
    expect(visitTexts(anIssue('WEB-1', start).issue, '2026-03-01T09:00:00Z')).toEqual([]);
  });

  test('orders changes that arrive in any order by their instant', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-03-03T09:00:00Z')
      .moves('Done', '2026-03-05T09:00:00Z');
    const reversed = { ...issue, changes: issue.changes.toReversed() };
    expect(visitTexts(reversed)).toEqual(['To Do 1', 'Doing 2', 'Done 7 open']);
  });

  test('orders two changes at one instant by where they come from, whatever their ids say', () => {
    const at = '2026-03-03T09:00:00Z';
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', at, { from: 'To Do', entry: '200' })
      .moves('Review', at, { from: 'Doing', entry: '100' });
    expect(visitTexts(issue)).toEqual(['To Do 1', 'Doing 0', 'Review 9 open']);
  });

  test('orders a loop within one instant so that every step fits', () => {
    const at = '2026-03-03T09:00:00Z';
    const { issue } = anIssue('WEB-1', start)
      .moves('Review', at, { from: 'Doing', entry: '1' })
      .moves('Doing', at, { from: 'Review', entry: '2' })
      .moves('Done', at, { from: 'Doing', entry: '3' });
    const before = { ...issue, changes: [...issue.changes] };
    const opened = anIssue('WEB-1', start).moves('Doing', '2026-03-02T10:00:00Z').issue;
    const whole = {
      ...before,
      changes: [...opened.changes.map((c) => ({ ...c, entry: '0' })), ...before.changes],
    };
    const { visits, contradictions } = timeline(whole, 'status', Date.parse(at));
    expect(visits.map((visit) => visit.value?.name)).toEqual(['To Do', 'Doing', 'Review', 'Doing', 'Done']);
    expect(contradictions).toBe(0);
  });

  test('orders a loop right after the creation so that the next change fits', () => {
    const at = '2026-03-03T09:00:00Z';
    const looped = anIssue('WEB-1', start)
      .moves('To Do', at, { from: 'Doing', entry: '11' })
      .moves('Doing', at, { from: 'To Do', entry: '12' });
    const followed = looped.moves('Done', '2026-03-05T09:00:00Z', { from: 'To Do' }).issue;
    expect(visitTexts(followed)).toEqual(['To Do 1', 'Doing 0', 'To Do 2', 'Done 7 open']);
    expect(timeline(followed, 'status', Date.parse(at)).contradictions).toBe(0);
    // Without a next change what the issue is in now says which one was last.
    const { issue } = looped;
    const status = { id: 'To Do', name: 'To Do' };
    expect(visitTexts({ ...issue, status, fields: { ...issue.fields, status } })).toEqual([
      ...['To Do 1', 'Doing 0', 'To Do 9 open'],
    ]);
  });

  test('takes ties that form no chain by id, 9 before 10', () => {
    const at = '2026-03-03T09:00:00Z';
    const { issue } = anIssue('WEB-1', start)
      .moves('B', at, { from: 'X', entry: '10' })
      .moves('A', at, { from: 'Y', entry: '9' });
    expect(visitTexts(issue)).toEqual(['Y 1', 'A 0', 'B 9 open']);
  });

  test('opens whatever a change says even where its "from" contradicts the state before, and counts that', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-03-03T09:00:00Z')
      .moves('Done', '2026-03-05T09:00:00Z', { from: 'Review' });
    expect(visitTexts(issue)).toEqual(['To Do 1', 'Doing 2', 'Done 7 open']);
    expect(timeline(issue, 'status', Date.parse(start) + 10 * millisecondsInDay).contradictions).toBe(1);
  });

  test('counts a last change that contradicts what the tracker shows now, once that is asked for', () => {
    const { issue } = anIssue('WEB-1', start).moves('Review', '2026-03-03T09:00:00Z');
    const shown = {
      ...issue,
      updated: Date.parse('2026-03-05T09:00:00Z'),
      fields: { ...issue.fields, status: { id: 'Done', name: 'Done' } },
    };
    expect(timeline(shown, 'status', Date.parse('2026-03-06T09:00:00Z')).contradictions).toBe(1);
    expect(timeline(shown, 'status', Date.parse('2026-03-04T09:00:00Z')).contradictions).toBe(0);
  });

  test('lets a change before the creation happen at the creation', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-02-20T09:00:00Z')
      .moves('Done', '2026-03-04T09:00:00Z');
    expect(visitTexts(issue)).toEqual(['To Do 0', 'Doing 2', 'Done 8 open']);
  });

  test('tells statuses of one name apart by their ids', () => {
    const { issue } = anIssue('WEB-1', start).moves('Doing', '2026-03-03T09:00:00Z');
    const renamed: Issue = {
      ...issue,
      fields: { ...issue.fields, status: { id: '20', name: 'Review' } },
      changes: [
        ...issue.changes.map((change) => ({ ...change, to: { id: '10', name: 'Review' } })),
        {
          entry: '2',
          item: 0,
          at: Date.parse('2026-03-05T09:00:00Z'),
          field: 'status',
          from: { id: '10', name: 'Review' },
          to: { id: '20', name: 'Review' },
          by: null,
        },
      ],
    };
    const { visits, contradictions } = timeline(renamed, 'status', Date.parse('2026-03-12T09:00:00Z'));
    expect(visits.map((visit) => visit.value?.id)).toEqual(['To Do', '10', '20']);
    expect(contradictions).toBe(0);
  });

  test('follows any field, and "nobody" is a value of its own', () => {
    const { issue } = anIssue('WEB-1', start)
      .changes('assignee', null, 'ada', '2026-03-03T09:00:00Z')
      .changes('assignee', 'ada', null, '2026-03-07T09:00:00Z');
    expect(visitTexts(issue, undefined, 'assignee')).toEqual(['empty 1', 'ada 4', 'empty 5 open']);
  });

  test('tells who made the change that opened a visit', () => {
    const { issue } = anIssue('WEB-1', start).moves('Doing', '2026-03-03T09:00:00Z', { by: 'bob' });
    const { visits } = timeline(issue, 'status', Date.parse('2026-03-12T09:00:00Z'));
    expect(visits.map((visit) => visit.by)).toEqual([null, 'bob']);
  });
});

describe('timeline of a cut history', () => {
  const story = anIssue('WEB-1', start, 'Doing')
    .moves('Review', '2026-03-06T09:00:00Z')
    .moves('Done', '2026-03-08T09:00:00Z');

  test('knows nothing before the oldest entry that was kept', () => {
    const { issue } = story.historyIs({
      complete: false,
      unknownFrom: null,
      unknownUntil: Date.parse('2026-03-05T09:00:00Z'),
      reason: 'cut',
    });
    expect(visitTexts(issue)).toEqual(['unknown 3', 'Doing 1', 'Review 2', 'Done 4 open']);
  });

  test('does not tell a first visit of which nothing is known', () => {
    const { issue } = story.historyIs({
      complete: false,
      unknownFrom: null,
      unknownUntil: Date.parse('2026-03-06T09:00:00Z'),
      reason: 'cut',
    });
    expect(visitTexts(issue)).toEqual(['unknown 4', 'Review 2', 'Done 4 open']);
  });

  test('knows nothing after the newest entry that was kept, the current value included', () => {
    const { issue } = story.historyIs({
      complete: false,
      unknownFrom: Date.parse('2026-03-08T09:00:00Z'),
      unknownUntil: null,
      reason: 'cut',
    });
    expect(visitTexts(issue)).toEqual(['Doing 4', 'Review 2', 'Done 0', 'unknown 4 open']);
  });

  test('is unknown as a whole when nothing was kept', () => {
    const { issue } = anIssue('WEB-1', start, 'Done').historyIs({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: 'cut',
    });
    expect(visitTexts(issue)).toEqual(['unknown 10 open']);
  });

  test('has after unknown time what the next change came from, and counts no contradiction over it', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-03-03T09:00:00Z')
      .moves('Done', '2026-03-08T09:00:00Z', { from: 'Review' })
      .historyIs({
        complete: false,
        unknownFrom: Date.parse('2026-03-04T09:00:00Z'),
        unknownUntil: Date.parse('2026-03-07T09:00:00Z'),
        reason: 'cut',
      });
    expect(timeline(issue, 'status', Date.parse('2026-03-12T09:00:00Z')).contradictions).toBe(0);
    expect(visitTexts(issue)).toEqual(['To Do 1', 'Doing 1', 'unknown 3', 'Review 1', 'Done 4 open']);
  });

  test('has after unknown time what it has now, where no later change tells', () => {
    const { issue } = anIssue('WEB-1', start)
      .moves('Doing', '2026-03-03T09:00:00Z')
      .historyIs({
        complete: false,
        unknownFrom: Date.parse('2026-03-04T09:00:00Z'),
        unknownUntil: Date.parse('2026-03-07T09:00:00Z'),
        reason: 'cut',
      });
    const done = { id: 'Done', name: 'Done' };
    const now = { ...issue, status: done, fields: { ...issue.fields, status: done } };
    expect(visitTexts(now)).toEqual(['To Do 1', 'Doing 1', 'unknown 3', 'Done 5 open']);
  });

  test('does not tell today’s value for the time before what was lost', () => {
    const { issue } = anIssue('WEB-1', start, 'Done').historyIs({
      complete: false,
      unknownFrom: Date.parse('2026-03-10T09:00:00Z'),
      unknownUntil: null,
      reason: 'cut',
    });
    expect(visitTexts(issue)).toEqual(['unknown 10 open']);
  });

  test('knows as little at the very instant of its creation', () => {
    const { issue } = anIssue('WEB-1', start, 'Done').historyIs({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: 'cut',
    });
    expect(visitTexts(issue, start)).toEqual(['unknown 0 open']);
  });

  test('knows what it was in at the newest entry that was kept, asked at that instant', () => {
    const { issue } = story.historyIs({
      complete: false,
      unknownFrom: Date.parse('2026-03-08T09:00:00Z'),
      unknownUntil: null,
      reason: 'cut',
    });
    expect(visitTexts(issue, '2026-03-08T09:00:00Z')).toEqual(['Doing 4', 'Review 2', 'Done 0 open']);
  });
});
