import fc from 'fast-check';
import { expect, test } from '#jest';
import {
  createCyclePercentiles,
  createDwellPercentiles,
} from '../../../src/api/answers/figures/usual-times.ts';
import { percentileOf } from '../../../src/engine/measure/statistics.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus } from '../../support/small-world.ts';
import { runs } from '../../support/soak.ts';
import { trackerOf } from './tracker-of.ts';

const now = () => Date.parse('2026-03-18T12:00:00Z');
const hourMs = 3_600_000;

const people = ['ada', 'bob', 'eve'] as const;
const statuses = [
  aStatus('To Do', { category: 'To Do' }),
  aStatus('Doing', { category: 'In Progress' }),
  aStatus('Done', { category: 'Done' }),
];

const aStory = fc.record({
  project: fc.constantFrom('WEB', 'WEB', 'OPS'),
  level: fc.constantFrom(null, 'Board', 'Lawyers'),
  assignee: fc.constantFrom(...people, null),
  /** Hours in progress; null: it still is. */
  took: fc.option(fc.integer({ min: 1, max: 200 })),
});

type Story = typeof aStory extends fc.Arbitrary<infer One> ? One : never;

const begun = Date.parse('2026-03-02T09:00:00Z');

function issueOf({ project, level, assignee, took }: Story, n: number): Issue {
  const born = anIssue(`${project}-${n + 1}`, '2026-03-01T09:00:00Z').moves(
    'Doing',
    new Date(begun).toISOString(),
  );
  const { issue } = took === null ? born : born.moves('Done', new Date(begun + took * hourMs).toISOString());
  const person = assignee === null ? null : { id: assignee, name: assignee };
  const security = level === null ? null : { id: level, name: level };
  return { ...issue, assignee: person, fields: { ...issue.fields, assignee: person, security } };
}

const aWorld = fc.record({
  stories: fc.array(aStory, { minLength: 1, maxLength: 60 }),
  viewers: fc.subarray([...people]),
  asking: fc.shuffledSubarray([...people], { minLength: 3 }),
});

test('what is usual is that of the issues each person sees, in whatever order they ask', async () => {
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ stories, viewers, asking }) => {
      const mirror = createMemoryMirror(trackerOf([], { kind: 'statuses', statuses, list: 'all' }), now);
      const table = tableOf(stories.map(issueOf));
      const directoryFor: Mirror['directoryFor'] = async () => ({
        ...(await mirror.directory()),
        access: [
          { kind: 'level', id: 'Board', viewers },
          { kind: 'level', id: 'Lawyers', viewers: ['zoe'] },
        ],
        permissions: null,
      });
      const reporting = localReporting({ ...mirror, directoryFor, table: async () => table }, now);
      const cycle = createCyclePercentiles(reporting, now);
      const dwell = createDwellPercentiles(reporting, now);
      for (const person of asking) {
        const took = stories.flatMap((story) => {
          const { project, level, assignee } = story;
          const isSeen =
            level === null || assignee === person || (level === 'Board' && viewers.includes(person));
          return project === 'WEB' && isSeen && story.took !== null ? [story.took * hourMs] : [];
        });
        const p85 = took.length < 5 ? null : percentileOf(Float64Array.from(took), 85);
        const usual = await cycle(principalOf(person), 'WEB', 'normalHours', now());
        expect([usual?.issues, usual?.p85]).toEqual([took.length, p85]);
        const visits = (await dwell(principalOf(person), ['WEB'], 'normalHours', now())).get('WEB')?.byStatus;
        expect(visits?.get('Doing')?.p85Ms ?? null).toBe(p85);
      }
    }),
    { numRuns: runs(150) },
  );
});
