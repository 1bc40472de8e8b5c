import { describe, expect, test } from '#jest';
import type { Directory } from '../../../src/model/directory.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import {
  boards,
  cast,
  fields,
  filters,
  groups,
  priorities,
  sprints,
  statuses,
} from '../../support/stand-in-jira-cast.ts';
import { altered, refusal } from '../../support/stand-in-jira-faults.ts';
import { listed, startTracker } from './start-tracker.ts';

/** What the entries tell beside statuses and people, list by list. */
function partsOf<List extends keyof Directory>(
  entries: readonly TrackerEntry[],
  list: List,
): Directory[List][number][] {
  return entries.flatMap((entry): readonly Directory[List][number][] =>
    entry.kind === 'directory' ? (entry.part[list] ?? []) : [],
  );
}

const refused = (entries: readonly TrackerEntry[]) => entries.filter(({ kind }) => kind === 'unreadable');

describe.each(['cloud', 'dataCenter'] as const)('the lists of %s', (mode) => {
  const idOf = (one: (typeof cast)[number] | undefined) => (mode === 'cloud' ? one?.accountId : one?.key);

  test('tell statuses as one list, fields, priorities, people and apps, groups, sprints and filters', async () => {
    const { tracker, jira, world } = await startTracker({ mode, issues: 1 });
    const entries = await listed(tracker);
    const told = entries.find((entry) => entry.kind === 'statuses');
    expect(told?.list).toBe(world.site);
    expect(told?.statuses.map(({ id }) => id)).toEqual(statuses.map(({ id }) => id));
    expect(told?.statuses.find(({ id }) => id === '10201')).toEqual({
      id: '10201',
      name: 'To Do',
      category: 'To Do',
      deleted: false,
      ...(mode === 'cloud' ? { scope: 'FERN' } : {}),
    });
    const users = entries.flatMap((entry) => (entry.kind === 'users' ? entry.users : []));
    expect(new Set(users.map(({ id }) => id))).toEqual(new Set(cast.map(idOf)));
    expect(partsOf(entries, 'priorities')).toEqual(priorities.map((one, place) => ({ ...one, place })));
    expect(partsOf(entries, 'fields')).toEqual(fields.map(({ id, name }) => ({ id, name })));
    expect(partsOf(entries, 'groups')).toEqual(
      groups.map(({ groupId, name, members }) => ({
        id: mode === 'cloud' ? groupId : name,
        name,
        members: members.map((one) => idOf(cast[one])),
      })),
    );
    expect(partsOf(entries, 'sprints').map(({ id, board }) => [id, board])).toEqual(
      sprints.map(({ id, boardId }) => [String(id), String(boardId)]),
    );
    expect(partsOf(entries, 'filters').map(({ id, jql, shared }) => [id, jql, shared])).toEqual(
      // Data Center lists favourites only.
      filters
        .slice(0, mode === 'cloud' ? 3 : 2)
        .map(({ id, jql, share }) => [id, jql, share === 'authenticated']),
    );
    expect(refused(entries)).toEqual([]);
    const kanban = boards.find(({ type }) => type === 'kanban');
    expect(jira.calls.some(({ path }) => path === `/board/${kanban?.id}/sprint`)).toBe(false);
  });

  test('go on when one is refused, and name it', async () => {
    const people = mode === 'cloud' ? '/users/search' : '/user/search';
    const { tracker } = await startTracker({
      mode,
      issues: 1,
      manners: { forbidden: new Set([people, '/status', '/board']) },
    });
    const entries = await listed(tracker);
    expect(refused(entries)).toMatchObject([
      { source: 'statuses', reason: expect.stringContaining('/status') },
      { source: 'people', reason: expect.stringContaining(people) },
      { source: 'sprints', reason: expect.stringContaining('/board') },
    ]);
    expect(partsOf(entries, 'groups')).toHaveLength(3);
    expect(partsOf(entries, 'filters').length).toBeGreaterThan(0);
  });

  test('leave out a group whose people are not told, and say so', async () => {
    const { tracker, jira } = await startTracker({ mode, issues: 1 });
    const [hidden] = groups;
    const asked = mode === 'cloud' ? hidden?.groupId : hidden?.name;
    jira.faults.push(
      ({ query }) => query.groupId === asked || query.groupname === asked,
      refusal(403, 'No.'),
      1,
    );
    // The question of Cloud and that of Data Center name the group in different ways.
    const entries = await listed(tracker);
    expect(jira.faults.left()).toBe(0);
    expect(partsOf(entries, 'groups').map(({ name }) => name)).toEqual(['leads', 'on-call']);
    expect(refused(entries)).toMatchObject([
      { source: 'groups', reason: expect.stringContaining("the members of group 'jira-software-users'") },
    ]);
  });

  test('leave out the sprints of a board that is refused', async () => {
    const { tracker, jira } = await startTracker({ mode, issues: 1 });
    jira.faults.push('/board/11/sprint', refusal(404, 'Board does not exist.'));
    const entries = await listed(tracker);
    expect(partsOf(entries, 'sprints')).toEqual([]);
    expect(refused(entries)).toEqual([]);
  });

  test('do not call statuses a whole list when one of them cannot be read', async () => {
    const { tracker, jira } = await startTracker({ mode: 'dataCenter', issues: 1 });
    const bend = (body: unknown) => (Array.isArray(body) ? [{ id: 1 }, ...body.slice(1)] : body);
    jira.faults.push('/status', altered(bend));
    const told = (await listed(tracker)).find((entry) => entry.kind === 'statuses');
    expect(told?.list).toBeNull();
    expect(told?.statuses).toHaveLength(statuses.length - 1);
  });
});

test('Data Center that lists only some of its groups is said to', async () => {
  const { tracker, jira } = await startTracker({ mode: 'dataCenter', issues: 1 });
  const many = (body: unknown) =>
    body !== null && typeof body === 'object' ? { ...body, total: 250 } : body;
  jira.faults.push('/groups/picker', altered(many));
  const entries = await listed(tracker);
  expect(refused(entries)).toMatchObject([
    { source: 'groups', reason: 'Jira lists only 3 of its 250 groups.' },
  ]);
  expect(partsOf(entries, 'groups')).toHaveLength(3);
});
