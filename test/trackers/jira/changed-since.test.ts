import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { expect, test } from '#jest';
import { changelogOf } from '../../../src/trackers/jira/changelog.ts';
import { changedSince } from '../../../src/trackers/jira/whole-changelogs.ts';

const updated = Date.parse('2026-03-10T12:00:00.000Z');

const fields = {
  updated: '2026-03-10T12:00:00.000+0000',
  status: { id: '3', name: 'Done' },
  assignee: { accountId: 'ada', displayName: 'Ada' },
  resolution: null,
};

/** Whether an entry so much later than the issue says so that it has changed since. */
function isChange(
  laterMs: number,
  item: object,
  { askedAt = updated + 30 * millisecondsInDay, more = [] as object[] } = {},
) {
  const entry = (id: number, at: number, one: object) => ({ id, created: at, items: [one] });
  const changelog = changelogOf([
    ...more.map((one, i) => entry(i + 1, updated - millisecondsInDay, one)),
    entry(9, updated + laterMs, item),
  ]);
  return changedSince({ id: '7', key: 'P-7', fields, unlike: null }, changelog, askedAt);
}

const toReview = { field: 'status', fieldId: 'status', from: '1', to: '2', toString: 'Review' };

test.each([
  ['comes some ms after the issue', 30, toReview],
  [
    'leads to the status that is shown',
    millisecondsInDay,
    { field: 'status', to: '3', toString: 'Finished' },
  ],
  ['leads to a status of that name', millisecondsInDay, { field: 'status', to: null, toString: 'Done' }],
  [
    'leads to the person that is shown',
    millisecondsInDay,
    { field: 'assignee', to: 'ada', toString: 'A. L.' },
  ],
  ['empties what is empty', millisecondsInDay, { field: 'resolution', to: null, toString: null }],
  ['is about the workflow', millisecondsInDay, { field: 'Workflow', to: '9', toString: 'New workflow' }],
  ['is about a field that is not told', millisecondsInDay, { field: 'priority', to: '1', toString: 'High' }],
  ['cannot be read', millisecondsInDay, { from: true }],
])('an entry that %s tells of nothing new', (_, laterMs, item) => {
  expect(isChange(laterMs, item)).toBe(false);
});

test.each([
  ['leads to another status', toReview],
  ['leads to nobody', { field: 'assignee', from: 'ada', to: null, toString: null }],
  ['fills what is empty', { field: 'resolution', to: '1', toString: 'Fixed' }],
])('a later entry that %s tells of a change', (_, item) => {
  expect(isChange(3000, item)).toBe(true);
});

test('what came before the issue was updated is never held against it', () => {
  expect(isChange(millisecondsInDay, { field: 'Workflow', to: '9' }, { more: [toReview] })).toBe(false);
});

test('an entry of the last minute may be of a change that is under way', () => {
  const asked = (after: number) =>
    isChange(millisecondsInDay, { field: 'Sprint' }, { askedAt: updated + millisecondsInDay + after });
  expect([asked(0), asked(millisecondsInMinute - 1), asked(millisecondsInMinute)]).toEqual([
    true,
    true,
    false,
  ]);
});
