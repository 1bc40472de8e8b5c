import fc from 'fast-check';
import { expect, test } from '#jest';
import { timeline } from '../../../src/engine/visits/timeline.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Issue, Status, StatusCategory } from '../../../src/model/issue.ts';
import { createStatusCatalog } from '../../../src/selection/access/status-catalog.ts';
import { end, someIssues, workflow } from '../../api/answers/a-team.ts';

const minute = 60_000;

/** What each visit speaks for, by the rules of docs/metrics.md, one issue after the other. */
function slowCategory(id: string, issues: readonly Issue[], known: ReadonlyMap<string, StatusCategory>) {
  const votes: (StatusCategory | null)[] = [];
  for (const issue of issues.filter(({ history }) => history.complete)) {
    const { visits } = timeline(issue, 'status', end);
    const categories = visits.map(({ value }) => known.get(value?.id ?? '') ?? 'Undefined');
    for (const [i, visit] of visits.entries()) {
      if (visit.value?.id !== id) continue;
      const until = visit.open ? Number.POSITIVE_INFINITY : visit.end;
      const resolved = issue.resolved === null ? null : issue.resolved + minute;
      const before = categories.slice(0, i).findLast((one) => one !== 'Undefined');
      const after = categories.slice(i + 1).find((one) => one !== 'Undefined');
      if (resolved !== null && visit.start <= resolved && resolved < until) votes.push('Done');
      else if (i === 0 && !visit.open) votes.push('To Do');
      else if (before === undefined) votes.push(null);
      else if (after === 'Done') votes.push(before === 'Done' ? null : 'In Progress');
      else if (after === 'In Progress') votes.push(before === 'In Progress' ? 'In Progress' : null);
      else if (after === 'To Do') votes.push(before === 'In Progress' ? null : 'To Do');
      else votes.push(null);
    }
  }
  const isMost = (one: StatusCategory) => votes.filter((vote) => vote === one).length > votes.length / 2;
  return (['Done', 'In Progress', 'To Do'] as const).find(isMost) ?? 'Undefined';
}

/** Some statuses of the team's that its list does not have, of two of which the issues tell a category. */
const lists = fc.record({
  unlisted: fc.subarray(workflow.map(({ id }) => id)),
  reported: fc.subarray(['3', '5']),
  sameName: fc.boolean(),
});

test('a status that no list has gets the category that its name or most of its visits imply, in whatever order issues are', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, lists, async (issues, { unlisted, reported, sameName }) => {
      const resolved = issues.map((issue, i) => ({
        ...issue,
        resolved: i % 3 === 0 ? null : (issue.changes[i % Math.max(1, issue.changes.length)]?.at ?? null),
      }));
      const statuses: Status[] = workflow.map(({ id, name, category }) =>
        unlisted.includes(id)
          ? {
              ...{ id, name, deleted: true, unlisted: true, listed: false },
              category: reported.includes(id) ? category : 'Undefined',
            }
          : { id, name, category, deleted: false, listed: true },
      );
      if (sameName) statuses.push({ ...statusCalled('Review'), id: '44', category: 'In Progress' });
      const known = new Map(statuses.map((status) => [status.id, status]));
      const catalog = await createStatusCatalog()(known, tableOf(resolved));
      const shuffled = await createStatusCatalog()(known, tableOf(resolved.toReversed()));
      expect([...shuffled]).toEqual([...catalog]);
      const named = new Map(
        statuses.map(({ id, name, category, listed }): [string, StatusCategory] => {
          const isAsked = category === 'Undefined' && !listed;
          return [id, isAsked && sameName && name === 'Review' ? 'In Progress' : category];
        }),
      );
      const current = new Set(resolved.map(({ status }) => status.id));
      for (const status of statuses) {
        const found = catalog.get(status.id);
        const isAsked = named.get(status.id) === 'Undefined' && !status.listed;
        const expected = isAsked ? slowCategory(status.id, resolved, named) : named.get(status.id);
        expect([status.id, found?.category]).toEqual([status.id, expected]);
        const source = expected === status.category ? undefined : isAsked ? 'neighbors' : 'same name';
        expect(found?.categorySource).toBe(source);
        if (current.has(status.id)) expect(found?.deleted).toBe(false);
        if (status.listed) expect(found?.deleted).toBe(false);
      }
    }),
  );
});

function statusCalled(name: string): Status {
  return { id: '', name, category: 'Undefined', deleted: false, listed: true };
}
