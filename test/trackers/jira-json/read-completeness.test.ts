import { describe, expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { readIssue } from '../../../src/trackers/jira-json/read-issue.ts';
import {
  jiraIssue,
  keepNewest,
  keepOldest,
  movesTo,
  type RawChangelog,
  type RawIssue,
} from '../../support/jira-export.ts';

const days = ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-09'];
const fiveMoves = days.reduce(
  (story, day, i) => story.at(`${day}T09:00:00Z`, movesTo(i % 2 === 0 ? 'In Progress' : 'To Do')),
  jiraIssue('DEMO-1'),
);
const [, secondDay = '', , fourthDay = ''] = days;
const at = (day: string) => Date.parse(`${day}T09:00:00Z`);

function historyOf(raw: RawIssue): Issue['history'] {
  const read = readIssue(raw);
  if ('reason' in read) throw new Error(read.reason);
  return read.issue.history;
}

function withChangelog(raw: RawIssue, bend: (changelog: RawChangelog) => Partial<RawChangelog>): RawIssue {
  const changelog = raw.changelog ?? { histories: [] };
  return { ...raw, changelog: { ...changelog, ...bend(changelog) } };
}

/** As many entries as asked for, newest first, one a minute. */
function movesOnCloud(count: number): RawIssue {
  return Array.from({ length: count })
    .reduce<ReturnType<typeof jiraIssue>>(
      (story, _, i) =>
        story.at(new Date(at('2026-03-03') + i * 60_000).toISOString(), movesTo(i % 2 ? 'To Do' : 'Done')),
      jiraIssue('DEMO-2'),
    )
    .onCloud();
}

describe('a whole changelog', () => {
  test.each([
    ['with as many entries as its total', fiveMoves.onCloud()],
    ['of Data Center', fiveMoves.onDataCenter()],
    ['without a total', withChangelog(fiveMoves.onDataCenter(), () => ({ total: undefined as never }))],
    ['without any entry', jiraIssue('DEMO-1').onCloud()],
    [
      'out of order',
      withChangelog(fiveMoves.onCloud(), ({ histories }) => ({
        histories: histories.toSorted((a, b) => (Number(a.id) % 3) - (Number(b.id) % 3)),
      })),
    ],
    [
      'of the last page’s start but with all entries',
      withChangelog(fiveMoves.onCloud(), () => ({ startAt: 3 })),
    ],
    ['of 39 entries', movesOnCloud(39)],
    ['of 41 entries', movesOnCloud(41)],
  ])('%s is complete', (_, raw) => expect(historyOf(raw)).toEqual({ complete: true }));
});

describe('a cut changelog', () => {
  test('newest first has lost the oldest entries: unknown until the oldest one kept', () => {
    expect(historyOf(keepNewest(fiveMoves.onCloud(), 2))).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: at(fourthDay),
      reason: 'only 2 of 5 changelog entries were imported',
    });
  });

  test('oldest first has lost the newest entries: unknown from the newest one kept', () => {
    expect(historyOf(keepOldest(fiveMoves.onDataCenter(), 2))).toEqual({
      complete: false,
      unknownFrom: at(secondDay),
      unknownUntil: null,
      reason: 'only 2 of 5 changelog entries were imported',
    });
  });

  test('with one entry left goes by what its edition sends first', () => {
    expect(historyOf(keepNewest(fiveMoves.onCloud(), 1))).toMatchObject({ unknownUntil: at('2026-03-09') });
    expect(historyOf(keepOldest(fiveMoves.onDataCenter(), 1))).toMatchObject({
      unknownFrom: at('2026-03-03'),
    });
  });

  test('whose last page is there has lost what came before that page', () => {
    const lastPage = withChangelog(keepOldest(fiveMoves.onCloud(), 2), () => ({ startAt: 3 }));
    expect(historyOf(lastPage)).toMatchObject({ unknownFrom: at(secondDay), unknownUntil: null });
    const lastPageOfServer = withChangelog(keepNewest(fiveMoves.onDataCenter(), 2), () => ({ startAt: 3 }));
    expect(historyOf(lastPageOfServer)).toMatchObject({ unknownFrom: null, unknownUntil: at(fourthDay) });
  });

  test.each([
    ['from the middle', withChangelog(keepNewest(fiveMoves.onCloud(), 2), () => ({ startAt: 1 }))],
    ['without entries', keepNewest(fiveMoves.onCloud(), 0)],
    [
      'in no order',
      withChangelog(keepNewest(fiveMoves.onCloud(), 3), ({ histories: [a, ...others] }) => ({
        histories: a === undefined ? others : [...others, a],
      })),
    ],
  ])('%s says nothing of any time', (_, raw) => {
    expect(historyOf(raw)).toMatchObject({ complete: false, unknownFrom: null, unknownUntil: null });
  });

  test('that starts late and tells no total is missing what came before', () => {
    const page = withChangelog(fiveMoves.onCloud(), () => ({ startAt: 7, total: undefined as never }));
    expect(historyOf(page)).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: 'the 7 changelog entries before the imported ones are missing',
    });
  });

  test('is not made whole by entries that overlapping pages repeat', () => {
    const overlapping = withChangelog(keepNewest(fiveMoves.onCloud(), 4), ({ histories }) => ({
      histories: [...histories.slice(0, 2), ...histories.slice(1)],
    }));
    expect(historyOf(overlapping)).toMatchObject({
      complete: false,
      unknownUntil: at(secondDay),
      reason: 'only 4 of 5 changelog entries were imported',
    });
  });

  test('is missing altogether where the export carried none', () => {
    const { changelog: _, ...bare } = fiveMoves.onCloud();
    for (const raw of [bare, { ...bare, changelog: null as never }]) {
      expect(historyOf(raw)).toEqual({
        complete: false,
        unknownFrom: null,
        unknownUntil: null,
        reason: 'the import carried no changelog for this issue',
      });
    }
  });
});

describe('a changelog of the size at which Cloud cuts silently', () => {
  test.each([40, 100])('%d entries of Cloud count as cut', (size) => {
    expect(historyOf(movesOnCloud(size))).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: at('2026-03-03'),
      reason: `exactly ${size} changelog entries were imported, the size at which Jira Cloud cuts a changelog silently`,
    });
  });

  test('Cloud is known by its field ids where the authors were removed', () => {
    const anonymous = withChangelog(movesOnCloud(40), ({ histories }) => ({
      histories: histories.map(({ author: _, ...entry }) => entry),
    }));
    expect(historyOf(anonymous).complete).toBe(false);
  });

  test('40 entries of Data Center are 40 entries', () => {
    const ofServer = withChangelog(movesOnCloud(40), ({ histories }) => ({
      histories: histories.map((entry) => ({
        ...entry,
        author: { key: 'grace' },
        items: entry.items.map(({ fieldId: _, ...item }) => item),
      })),
    }));
    expect(historyOf(ofServer)).toEqual({ complete: true });
  });
});

test('an issue with a changelog of any length can be read', () => {
  const endless = withChangelog(fiveMoves.onCloud(), () => ({
    total: 200_001,
    histories: Array.from({ length: 200_000 }, (_, i) => ({ created: at('2026-03-09') - i, items: [] })),
  }));
  expect(historyOf(endless)).toMatchObject({ unknownUntil: at('2026-03-09') - 199_999 });
});

describe('a single kept entry', () => {
  const story = jiraIssue('DEMO-3')
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'))
    .at('2026-03-05T09:00:00Z', movesTo('Done'));

  test('is the newest one where it leads to the status shown now', () => {
    expect(historyOf(keepNewest(story.onCloud(), 1))).toMatchObject({
      complete: false,
      unknownFrom: null,
      unknownUntil: at('2026-03-05'),
    });
  });

  test('is not where it leads elsewhere: then the newer ones are lost', () => {
    expect(historyOf(keepOldest(story.onCloud(), 1))).toMatchObject({
      complete: false,
      unknownFrom: at('2026-03-03'),
      unknownUntil: null,
    });
  });
});

describe('a changelog that somebody has verified', () => {
  test.each([40, 100])('is whole at %i entries, too', (count) => {
    const read = readIssue(movesOnCloud(count), { lack: null });
    expect(read).toMatchObject({ issue: { history: { complete: true } } });
  });

  test('tells nothing for sure where entries are missing', () => {
    const read = readIssue(movesOnCloud(3), { lack: 'Jira counts 4 changelog entries and hands out 3' });
    expect(read).toMatchObject({
      issue: {
        history: {
          complete: false,
          unknownFrom: null,
          unknownUntil: null,
          reason: 'Jira counts 4 changelog entries and hands out 3',
        },
      },
    });
  });
});
