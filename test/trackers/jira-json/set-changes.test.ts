import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { timeline } from '../../../src/engine/visits/timeline.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { readIssue } from '../../../src/trackers/jira-json/read-issue.ts';
import {
  adds,
  isLabelled,
  jiraIssue,
  keepOldest,
  movesTo,
  type RawIssue,
  removes,
} from '../../support/jira-export.ts';

function read(raw: RawIssue): Issue {
  const told = readIssue(raw);
  if ('reason' in told) throw new Error(told.reason);
  return told.issue;
}

/** The values of a field one after another, as the engine makes them of the issue. */
function visitsOf(issue: Issue, field: string): (string | null)[] {
  const { visits, contradictions } = timeline(issue, field, Date.parse('2026-04-01T00:00:00Z'));
  expect(contradictions).toBe(0);
  return visits.map(({ value }) => value?.name ?? null);
}

const twoVersions = jiraIssue('DEMO-1', { fixVersions: ['2.0'] })
  .at('2026-03-03T09:00:00Z', adds('fixVersions', '1.0'))
  .at(
    '2026-03-04T09:00:00Z',
    movesTo('In Progress'),
    removes('fixVersions', '2.0'),
    adds('fixVersions', '3.0'),
  )
  .at('2026-03-05T09:00:00Z', removes('fixVersions', '1.0'), removes('fixVersions', '3.0'));

describe('a field of which Jira logs the elements that came and went', () => {
  test.each([
    ['Cloud', twoVersions.onCloud()],
    ['Data Center', twoVersions.onDataCenter()],
  ])('goes from one whole set to the next on %s', (_, raw) => {
    const issue = read(raw);
    expect(visitsOf(issue, 'fixVersions')).toEqual(['2.0', '1.0, 2.0', '1.0, 3.0', null]);
    expect(visitsOf(issue, 'status')).toEqual(['To Do', 'In Progress']);
  });

  test('changes once per changelog entry, however many elements came and went in it', () => {
    const changes = read(twoVersions.onCloud()).changes.filter(({ field }) => field === 'fixVersions');
    expect(changes.toSorted((a, b) => a.at - b.at)).toMatchObject([
      { entry: '10001', item: 0, from: { id: '15' }, to: { id: '14, 15' }, by: 'grace' },
      { entry: '10002', item: 1, from: { id: '14, 15' }, to: { id: '14, 16' } },
      { entry: '10003', item: 0, from: { id: '14, 16' }, to: null },
    ]);
  });

  test('reads in the same order whether its content or its last change is asked', () => {
    const start = { components: ['Docs', 'Web'] };
    const changed = read(
      jiraIssue('DEMO-1', start).at('2026-03-03T09:00:00Z', adds('components', 'Backend')).onCloud(),
    );
    const still = read(jiraIssue('DEMO-2', { components: ['Docs', 'Backend', 'Web'] }).onCloud());
    expect(visitsOf(changed, 'components').at(-1)).toBe('Web, Backend, Docs');
    expect(visitsOf(still, 'components')).toEqual(['Web, Backend, Docs']);
  });

  test('an element is called what it is called today', () => {
    const raw = jiraIssue('DEMO-1').at('2026-03-03T09:00:00Z', adds('versions', '1.0')).onCloud();
    raw.fields.versions = [{ id: '14', name: '1.0 (Heron)' }];
    expect(visitsOf(read(raw), 'versions')).toEqual([null, '1.0 (Heron)']);
  });

  test('an element that came and went in one entry changed nothing', () => {
    const raw = jiraIssue('DEMO-1').at(
      '2026-03-03T09:00:00Z',
      adds('versions', '1.0'),
      removes('versions', '1.0'),
    );
    expect(read(raw.onCloud()).changes).toEqual([]);
  });

  test('elements without ids are known by name, or by the id the content gives them', () => {
    const raw = jiraIssue('DEMO-1', { components: ['Web'] })
      .at('2026-03-03T09:00:00Z', adds('components', 'Backend'))
      .at('2026-03-04T09:00:00Z', removes('components', 'Web'))
      .onDataCenter();
    for (const entry of raw.changelog?.histories ?? []) {
      delete entry.id;
      for (const item of entry.items) {
        delete item.from;
        delete item.to;
      }
    }
    expect(visitsOf(read(raw), 'components')).toEqual(['Web', 'Backend, Web', 'Backend']);
    raw.fields.components = ['Backend'];
    expect(visitsOf(read(raw), 'components')).toEqual(['Web', 'Backend, Web', 'Backend']);
  });

  test('what an item says is there, though the content of a trimmed export does not have it', () => {
    const { fields, ...raw } = jiraIssue('DEMO-1', { components: ['Web'] })
      .at('2026-03-03T09:00:00Z', adds('components', 'Backend'))
      .at('2026-03-04T09:00:00Z', removes('components', 'Web'))
      .onCloud();
    const { components: _, ...trimmed } = fields;
    expect(visitsOf(read({ ...raw, fields: trimmed }), 'components')).toEqual([
      'Web',
      'Web, Backend',
      'Backend',
    ]);
  });

  test('nothing is told of it where the newest entries are lost: there is nothing to begin with', () => {
    const raw = jiraIssue('DEMO-1')
      .at('2026-03-03T09:00:00Z', adds('components', 'Backend'))
      .at('2026-03-04T09:00:00Z', removes('components', 'Backend'))
      .onDataCenter();
    expect(read(keepOldest(raw, 1)).changes).toEqual([]);
  });

  test('any comings and goings end in the field’s content and begin with what was there at first', () => {
    const names = ['Web', 'Backend', 'Docs', '1.0', '2.0'];
    const toggles = fc.array(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.subarray(names), toggles, fc.boolean(), (start, entries, cloud) => {
        const sets = [new Set(start)];
        const story = entries.reduce(
          (told, changed, i) => {
            const now = new Set(sets.at(-1));
            const deeds = changed.map((name) =>
              now.delete(name) ? removes('components', name) : adds('components', name),
            );
            for (const name of changed) if (!sets.at(-1)?.has(name)) now.add(name);
            sets.push(now);
            return told.at(`2026-03-0${i + 3}T09:00:00Z`, ...deeds);
          },
          jiraIssue('DEMO-1', { components: start }),
        );
        const issue = read(cloud ? story.onCloud() : story.onDataCenter());
        const told = visitsOf(issue, 'components').map((name) => name?.split(', ').toSorted() ?? []);
        expect(told).toEqual(sets.map((set) => [...set].toSorted()));
      }),
    );
  });
});

describe('labels', () => {
  test('are a list like their content, though Jira logs them with spaces', () => {
    const issue = read(
      jiraIssue('DEMO-1', { labels: ['urgent'] })
        .at('2026-03-03T09:00:00Z', isLabelled('urgent', 'backend'))
        .at('2026-03-04T09:00:00Z', isLabelled())
        .onCloud(),
    );
    expect(visitsOf(issue, 'labels')).toEqual(['urgent', 'backend, urgent', null]);
    expect(
      visitsOf(read(jiraIssue('DEMO-2', { labels: ['urgent', 'backend'] }).onCloud()), 'labels'),
    ).toEqual(['backend, urgent']);
  });
});
