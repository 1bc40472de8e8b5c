import { describe, expect, test } from '@jest/globals';
import type { User } from '../../../src/model/issue.ts';
import type { Browsable } from '../../../src/tracker/live-tracker.ts';
import { cast, levels, projects } from '../../support/stand-in-jira-cast.ts';
import type { JiraWorld } from '../../support/stand-in-jira-world.ts';
import { startTracker } from './start-tracker.ts';

const DAY_MS = 86_400_000;

/** What a mirror of everything in the world holds. */
function browsable(world: JiraWorld): Browsable {
  const idOf = (person: number | null) => {
    const one = person === null ? undefined : cast[person];
    return one === undefined ? [] : [world.mode === 'cloud' ? one.accountId : one.key];
  };
  const levelled = [...world.ids()].flatMap((id) => {
    const { key, project, level, reporter, assignee } = world.issue(world.numberOf(id) ?? 0);
    if (level === null) return [];
    const people = [...idOf(reporter), ...idOf(assignee)];
    return [{ id, key, project: project.key, level: levels[level]?.id ?? '', people }];
  });
  return { projects: projects.map(({ key }) => key), levelled };
}

function userOf(world: JiraWorld, person: number): User {
  const { accountId, key, name, displayName } = cast[person] ?? {
    accountId: '',
    key: '',
    name: '',
    displayName: '',
  };
  return world.mode === 'cloud'
    ? { id: accountId, name: displayName }
    : { id: key, name: displayName, login: name };
}

describe.each(['cloud', 'dataCenter'] as const)('sightOf on %s', (mode) => {
  test('is what Jira itself lets everybody browse', async () => {
    const { tracker, jira, world } = await startTracker({ mode, issues: 600 });
    const about = browsable(world);
    for (const person of [0, 2, 4, 9, 15]) {
      const sight = await tracker.sightOf(userOf(world, person), about);
      expect([...sight.projects]).toEqual(
        about.projects.filter((project) => jira.rights.mayBrowse(person, project)),
      );
      expect([...sight.levelled].toSorted()).toEqual(
        about.levelled
          .filter(({ id }) => jira.rights.maySee(person, world.numberOf(id) ?? 0))
          .map(({ key }) => key)
          .toSorted(),
      );
    }
    expect(about.levelled.length).toBeGreaterThan(15);
  });

  test('is nothing for somebody Jira does not know', async () => {
    const { tracker, world } = await startTracker({ mode, issues: 60 });
    const nobody = await tracker.sightOf({ id: 'nobody', name: 'Nobody' }, browsable(world));
    expect(nobody).toEqual({ projects: new Set(), levelled: new Set() });
  });

  test('says what our account lacks when it may not ask', async () => {
    const { tracker, world } = await startTracker({ mode, issues: 60, manners: { administers: false } });
    await expect(tracker.sightOf(userOf(world, 1), browsable(world))).rejects.toMatchObject({
      code: 'unavailable',
      details: [expect.stringMatching(/^The account needs the global permission '.*JIRA_RIGHTS=rules\.$/)],
    });
  });
});

describe('on Cloud', () => {
  test('projects are asked for again after five minutes, and only then', async () => {
    const { tracker, jira, world, pass } = await startTracker({ issues: 20 });
    const lookUps = () => jira.calls.filter(({ path }) => path === '/project/search').length;
    const user = userOf(world, 0);
    await tracker.sightOf(user, browsable(world));
    pass(5 * 60_000 - 1000);
    await tracker.sightOf(user, browsable(world));
    expect(lookUps()).toBe(1);
    pass(1000);
    await tracker.sightOf(user, browsable(world));
    expect(lookUps()).toBe(2);
  });

  test('a project that our account may not browse is closed', async () => {
    const { tracker, world } = await startTracker({ issues: 20, manners: { withheld: new Set(['LARK']) } });
    const { projects: open } = await tracker.sightOf(userOf(world, 0), browsable(world));
    expect(open.has('LARK')).toBe(false);
    expect(open.has('DESK')).toBe(true);
  });

  test('a thousand issues are asked about at once', async () => {
    const { tracker, jira, world } = await startTracker({ issues: 20 });
    const [id = '', key = ''] = [[...world.ids()][0], [...world.keys()][0]];
    const one = { id, key, project: 'LARK', level: '10500', people: [] };
    const levelled = Array.from({ length: 2500 }, () => one);
    await tracker.sightOf(userOf(world, 0), { projects: ['LARK'], levelled });
    expect(jira.calls.filter(({ path }) => path === '/permissions/check')).toHaveLength(4);
  });
});

describe('on Data Center', () => {
  test('one issue of a level stands for all that do not name the person', async () => {
    const { tracker, jira, world } = await startTracker({ mode: 'dataCenter', issues: 600 });
    const about = browsable(world);
    const user = userOf(world, 15);
    await tracker.sightOf(user, about);
    const asked = jira.calls.flatMap(({ query }) => query.issueKey ?? []);
    const groups = new Set(about.levelled.map(({ project, level }) => `${project} ${level}`));
    const naming = about.levelled.filter(({ people }) => people.includes(user.id));
    expect(asked.length).toBeLessThanOrEqual(groups.size + naming.length);
    expect(asked.length).toBeLessThan(about.levelled.length);
  });

  test('another issue is asked about when the one that stood for its level is gone', async () => {
    const { tracker, world, pass } = await startTracker({ mode: 'dataCenter', issues: 600 });
    const about = browsable(world);
    const [first] = about.levelled.filter(({ project, level }) => project === 'LARK' && level === '10500');
    pass(DAY_MS);
    world.remove(first?.key ?? '');
    const { levelled } = await tracker.sightOf(userOf(world, 0), about);
    expect([...levelled].some((key) => key.startsWith('LARK-'))).toBe(true);
  });

  test('whoever is called by a longer name is somebody else', async () => {
    const { tracker, world } = await startTracker({ mode: 'dataCenter', issues: 20 });
    const impostor = { id: 'JIRAUSER99', name: 'Mara', login: 'mara' };
    expect((await tracker.sightOf(impostor, browsable(world))).projects.size).toBe(0);
  });
});
