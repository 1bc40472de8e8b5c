import { expect, test } from '#jest';
import type { Change, FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { compareIds } from '../../../src/model/issues/ids-and-names.ts';
import { doneIds, sampleOf } from './sample-of.ts';

const sample = sampleOf('2026-08-20');
const { issues } = sample;
const done = doneIds();
const statusesById = new Map(sample.statuses.map((status) => [status.id, status]));

const ofField = (issue: Issue, field: string) => issue.changes.filter((change) => change.field === field);
const idOf = (value: FieldValue | null) => value?.id ?? null;
const isValue = (content: FieldContent): content is FieldValue =>
  typeof content === 'object' && content !== null && 'id' in content;
const isList = (content: FieldContent): content is readonly FieldValue[] => Array.isArray(content);

/** Content as a change would name it. */
function named(content: FieldContent | undefined): string | null {
  if (content === undefined || content === null) return null;
  if (isList(content)) {
    return content.length === 0
      ? null
      : content
          .map(({ id }) => id)
          .sort(compareIds)
          .join(', ');
  }
  return isValue(content) ? content.id : String(content);
}

/** What holds is not told: a matcher for each of so many thousand values takes its time. */
const broken = (found: Readonly<Record<string, boolean>>) =>
  Object.entries(found).flatMap(([what, holds]) => (holds ? [] : what));

test('every change starts from what the one before left and changes something', () => {
  const wrong: unknown[] = [];
  for (const issue of issues) {
    const state = new Map<string, string | null>();
    for (const change of issue.changes) {
      const before = state.get(change.field);
      const [from, to] = [idOf(change.from), idOf(change.to)];
      if ((before !== undefined && from !== before) || to === from) wrong.push([issue.key, before, change]);
      state.set(change.field, to);
    }
  }
  expect(wrong).toEqual([]);
});

test('every issue is what its last changes made of it', () => {
  expect(issues.map(({ fields }) => [fields.status, fields.assignee, fields.summary])).toEqual(
    issues.map(({ status, assignee, summary }) => [status, assignee, summary]),
  );
  const wrong: unknown[] = [];
  for (const issue of issues) {
    const last = new Map(issue.changes.map(({ field, to }) => [field, idOf(to)]));
    for (const [field, id] of last) {
      if (named(issue.fields[field]) !== id) wrong.push([issue.key, field, issue.fields[field], id]);
    }
  }
  expect(wrong).toEqual([]);
});

test('changes lie after creation, in order, and entry ids rise with time over all issues', () => {
  const wrong: unknown[] = [];
  const entries = new Map<string, { at: number; by: string | null }>();
  for (const issue of issues) {
    let before: Change | undefined;
    for (const change of issue.changes) {
      const { at, by, entry, item } = change;
      const known = entries.get(entry) ?? change;
      const why = broken({
        'before its time': at >= (before?.at ?? issue.created),
        'no number': /^\d+$/.test(entry),
        'not the next item': item === (before?.entry === entry ? before.item + 1 : 0),
        'of another entry': known.at === at && known.by === by,
      });
      if (why.length > 0) wrong.push([issue.key, why, change]);
      entries.set(entry, { at, by });
      before = change;
    }
    if (issue.updated !== (before?.at ?? issue.created)) wrong.push([issue.key, 'updated', issue.updated]);
  }
  expect(wrong).toEqual([]);
  const instants = [...entries].sort(([a], [b]) => Number(a) - Number(b)).map(([, { at }]) => at);
  expect(instants).toEqual([...instants].sort((a, b) => a - b));
});

test('resolved is the instant of entering a status of category Done, and null outside of them', () => {
  const wrong: unknown[] = [];
  for (const issue of issues) {
    const { key, status, resolved, fields } = issue;
    const entered = ofField(issue, 'status').findLast(
      ({ from, to }) => done.has(to?.id ?? '') && !done.has(from?.id ?? ''),
    );
    const isOpen = resolved === null;
    const why = broken({
      'resolved outside of Done': done.has(status.id) || isOpen,
      'resolved at another instant': !done.has(status.id) || entered === undefined || resolved === entered.at,
      resolution: (fields.resolution === null) === isOpen,
      resolutiondate: (fields.resolutiondate === null) === isOpen,
    });
    if (why.length > 0) wrong.push([key, why]);
  }
  expect(wrong).toEqual([]);
});

test('statuses are known; the deleted one is met in older histories only, the scoped one in its project', () => {
  const wrong: unknown[] = [];
  const met = new Map<string, Set<string>>();
  let lastDeleted = 0;
  for (const issue of issues) {
    if (statusesById.get(issue.status.id)?.deleted !== false) wrong.push([issue.key, issue.status]);
    for (const { from, to, at } of ofField(issue, 'status')) {
      for (const value of [from, to]) {
        const status = statusesById.get(value?.id ?? '');
        if (status?.deleted) lastDeleted = Math.max(lastDeleted, at);
        const project = issue.key.slice(0, 3);
        met.set(status?.id ?? '', (met.get(status?.id ?? '') ?? new Set()).add(project));
        const isScoped = status?.scope === undefined || project === status.scope;
        if (status?.name !== value?.name || !isScoped) wrong.push([issue.key, value, status]);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect([...met.keys()].sort()).toEqual([...statusesById.keys()].sort());
  expect(lastDeleted).toBeGreaterThan(0);
  expect(lastDeleted).toBeLessThan(Date.parse('2025-12-01'));
  expect(sample.statuses.filter(({ name }) => name === 'In Review')).toHaveLength(2);
});

test('a few old issues of the service desk have cut histories that say why', () => {
  const cut = issues.filter(({ history }) => !history.complete);
  expect(cut).toHaveLength(4);
  for (const { key, history, changes, created } of cut) {
    expect(key).toMatch(/^OPS-\d{1,2}$/);
    expect(changes.length).toBeGreaterThan(2);
    expect(created).toBeLessThan(changes[0]?.at ?? 0);
    expect(history).toEqual({
      complete: false,
      unknownFrom: null,
      unknownUntil: changes[0]?.at,
      reason: `moved in from Kettle & Fern's old help desk, which kept only its last ${changes.length} changes`,
    });
  }
});

test('histories hold the oddities that reports must get right', () => {
  const visits = (issue: Issue) => ofField(issue, 'status');
  const reopened = issues.filter((issue) =>
    visits(issue).some(({ from, to }) => done.has(from?.id ?? '') && !done.has(to?.id ?? '')),
  );
  const returned = issues.filter((issue) =>
    visits(issue).some(({ from, to }) => from?.name === 'In Review' && to?.name === 'In Progress'),
  );
  const neverMoved = issues.filter(
    (issue) => visits(issue).length === 0 && issue.created < Date.parse('2026-06-01'),
  );
  const atOnce = issues.filter((issue) =>
    visits(issue).some((change, i, all) => all[i - 1]?.at === change.at),
  );
  const withinMinute = issues.filter(
    ({ created, resolved }) => resolved !== null && resolved - created < 60_000,
  );
  const born = issues.filter(
    (issue) => visits(issue)[0]?.from?.name === 'In Progress' && ofField(issue, 'assignee').length === 0,
  );
  const unassigned = issues.filter((issue) =>
    ofField(issue, 'assignee').some(({ from, to }) => from !== null && to === null),
  );
  const carried = issues.filter((issue) => ofField(issue, 'customfield_10020').length > 1);
  const stuck = issues.filter(
    ({ status, updated }) => status.name === 'In Progress' && updated < Date.parse('2026-07-15'),
  );

  for (const found of [reopened, returned, neverMoved, unassigned, carried])
    expect(found.length).toBeGreaterThan(5);
  for (const found of [atOnce, withinMinute, born, stuck]) expect(found.length).toBeGreaterThan(0);
});
