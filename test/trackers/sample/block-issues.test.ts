import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { blockersIn } from '../../../src/model/issues/field-titles.ts';
import { elementsOf, joinValues } from '../../../src/model/issues/value-sets.ts';
import { blockIssues } from '../../../src/trackers/sample/block-issues.ts';
import { company, projectKeys } from '../../../src/trackers/sample/company.ts';
import { simulateIssues } from '../../../src/trackers/sample/issue-life.ts';
import { createWorld } from '../../../src/trackers/sample/sample-world.ts';
import { runs } from '../../support/soak.ts';
import { doneIds, sampleOf } from './sample-of.ts';

const [FLAGGED, LINKS] = ['customfield_10021', 'issuelinks'];
const days = ['2026-01-02', '2026-03-18', '2026-08-20', '2026-11-23', '2026-11-30', '2027-03-29'];
const done = doneIds();
const isOpen = ({ status }: Issue) => !done.has(status.id);
const isFlagged = ({ fields }: Issue) => elementsOf(fields[FLAGGED]).length > 0;
const blockersOf = ({ fields }: Issue) => blockersIn(joinValues(elementsOf(fields[LINKS])));

describe.each(days)('the sample of %s', (day) => {
  const { issues } = sampleOf(day);
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const isBlocked = (issue: Issue) => {
    const other = byKey.get(blockersOf(issue)[0] ?? '');
    return isOpen(issue) && other !== undefined && isOpen(other);
  };

  test.each(projectKeys)('has issues of %s that are blocked, and many that were', (project) => {
    const own = issues.filter(({ key }) => key.startsWith(`${project}-`));
    const flagged = own.filter(isFlagged);
    const linked = own.filter(isBlocked);
    expect(flagged.length).toBeLessThan(4);
    expect(linked.length).toBeLessThan(2);
    expect(flagged.length + linked.length).toBeGreaterThan(0);
    const changed = own.filter(({ changes }) => changes.some(({ field }) => field === FLAGGED));
    expect(changed.length / own.length).toBeGreaterThan(0.1);
    expect(changed.length / own.length).toBeLessThan(0.3);
  });

  test('has flags that people set on open issues', () => {
    const people = new Set(company.people.map(({ id }) => id));
    const set = issues.flatMap(({ changes }) =>
      changes.filter(({ field, from }) => field === FLAGGED && from === null),
    );
    expect(set.filter(({ by }) => !people.has(by ?? ''))).toEqual([]);
    expect(new Set(set.map(({ to }) => `${to?.id} ${to?.name}`))).toEqual(new Set(['10019 Impediment']));
    expect(issues.filter((issue) => isFlagged(issue) && !isOpen(issue))).toEqual([]);
  });

  test('has links that both issues show, and none of a confidential one', () => {
    const texts = issues.flatMap((issue) =>
      elementsOf(issue.fields[LINKS]).map(({ id }) => ({
        key: issue.key,
        id,
        isHidden: issue.fields.security,
      })),
    );
    const all = new Set(texts.map(({ key, id }) => `${key} ${id}`));
    const other = (key: string, id: string) => {
      const [words, end] = [id.slice(0, id.lastIndexOf(' ')), id.slice(id.lastIndexOf(' ') + 1)];
      return `${end} ${words === 'blocks' ? 'is blocked by' : 'blocks'} ${key}`;
    };
    expect(texts.filter(({ key, id, isHidden }) => isHidden || !all.has(other(key, id)))).toEqual([]);
    const within = texts.filter(({ key, id }) => id.includes(`by ${key.slice(0, 3)}`));
    expect(within.length).toBeGreaterThan(3);
    expect(texts.length / 2 - within.length).toBeGreaterThan(3);
  });
});

// The seed of the sample, and others where there is time.
test.each(Array.from({ length: runs(3) }, (_, i) => 7 + i))(
  'flags and links change nothing else in the sample of seed %i',
  (seed) => {
    for (const day of days) {
      const world = createWorld(seed, Date.parse(day));
      const drafts = simulateIssues(world);
      const others = blockIssues(drafts, world).map(({ first, edits, ...draft }) => {
        const { [FLAGGED]: _flag, [LINKS]: _links, ...own } = first as Record<string, unknown>;
        const unblocked = edits.flatMap(({ contents, ...edit }) => {
          const { [FLAGGED]: _cleared, [LINKS]: _linked, ...left } = contents;
          return Object.keys(left).length === 0 ? [] : [{ ...edit, contents: left }];
        });
        return { ...draft, first: own, edits: unblocked };
      });
      expect(JSON.stringify(others) === JSON.stringify(drafts)).toBe(true);
    }
  },
);

test('some issue of each project is blocked on nearly every day', () => {
  const seen = Object.fromEntries(projectKeys.map((project) => [project, 0]));
  const { issues } = sampleOf('2026-11-30');
  const since = Date.parse('2026-06-01');
  const dayCount = (Date.parse('2026-11-30') - since) / millisecondsInDay;
  for (let i = 0; i < dayCount; i += 1) {
    const at = since + i * millisecondsInDay;
    for (const project of projectKeys) {
      const isSet = issues.some(({ key, changes }) => {
        const last = changes.findLast((change) => change.field === FLAGGED && change.at <= at);
        return key.startsWith(project) && (last?.to ?? null) !== null;
      });
      seen[project] = (seen[project] ?? 0) + (isSet ? 1 : 0);
    }
  }
  for (const project of projectKeys) expect((seen[project] ?? 0) / dayCount).toBeGreaterThan(0.9);
});
