import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { Group } from '../../../src/model/directory.ts';
import type { User } from '../../../src/model/issue.ts';
import type { Browsable, SingleIssue } from '../../../src/trackers/live-tracker.ts';
import { runs } from '../../support/soak.ts';
import { cast, groups, levels, projects } from '../../support/stand-in-jira-cast.ts';
import { altered, refusal } from '../../support/stand-in-jira-faults.ts';
import { type Holder, teamOf, watcherOf } from '../../support/stand-in-jira-rights.ts';
import type { JiraWorld } from '../../support/stand-in-jira-world.ts';
import { startTracker } from './start-tracker.ts';

/** Of a mirror that holds these, each of which can be asked about; the row is the number among the singles. */
function holding(
  singles: readonly SingleIssue[],
  others: readonly SingleIssue[] = [],
): Pick<Browsable, 'singles' | 'unlevelled' | 'unlevelledIn' | 'lookUp'> {
  const all = new Map([...singles, ...others].map((one) => [one.row, one]));
  const unlevelled = (project: string) => others.filter((one) => one.project === project).toReversed();
  return {
    singles,
    unlevelled,
    unlevelledIn: (project) => unlevelled(project).length,
    lookUp: async (listed) => listed.flatMap(({ row }) => all.get(row) ?? []),
  };
}

/** What a mirror of everything in the world holds. */
function browsable(
  world: JiraWorld,
): Omit<Browsable, 'singles'> & { readonly singles: readonly SingleIssue[] } {
  const all = [...world.ids()].map((id, row): SingleIssue => {
    const issue = world.issue(world.numberOf(id) ?? 0);
    const { key, project, level, reporter, assignee } = issue;
    return {
      ...{ row, id, key, project: project.key, level: level === null ? null : (levels[level]?.id ?? '') },
      permissionKey: () => JSON.stringify([reporter, assignee, watcherOf(issue), teamOf(issue)]),
    };
  });
  const singles = all.filter(({ level }) => level !== null);
  const others = all.filter(({ level }) => level === null);
  return { projects: world.projects.map(({ key }) => key), ...holding(singles, others), singles };
}

function userOf(world: JiraWorld, person: number): User {
  const { accountId = '', key = '', name = '', displayName = '' } = cast[person] ?? {};
  return world.mode === 'cloud'
    ? { id: accountId, name: displayName }
    : { id: key, name: displayName, login: name };
}

/** Those a person is in, as lists tell them. */
function groupsOf(world: JiraWorld, person: number): Group[] {
  return groups
    .filter(({ members }) => members.some((one) => one === person))
    .map(({ groupId, name }) => ({ id: world.mode === 'cloud' ? groupId : name, name, members: [] }));
}

type Started = Awaited<ReturnType<typeof startTracker>>;

const permissionsOf = ({ tracker, world }: Started, person: number, about: Browsable = browsable(world)) =>
  tracker.permissions(userOf(world, person), groupsOf(world, person), about);

/** The same of a mirror that has stored who can browse its projects. */
async function withAccess({ tracker, world }: Started) {
  const about = browsable(world);
  const stored = (await tracker.projectAccess?.(about.projects)) ?? [];
  const byProject = new Map(
    stored.map(({ project, access }) => [project, JSON.parse(JSON.stringify(access))]),
  );
  return { ...about, accessOf: (project: string): unknown => byProject.get(project) };
}

/** Keys of the issues that a sight opens, and of those that Jira does. */
async function compared(jira: Started, person: number, about: Browsable = browsable(jira.world)) {
  const { world } = jira;
  const sight = await permissionsOf(jira, person, about);
  const issues = [...world.ids()].map((id) => world.issue(world.numberOf(id) ?? 0));
  return {
    sight,
    opened: issues
      .filter(
        ({ key, level, project }) =>
          sight.issues.has(key) || (level === null && sight.projects.has(project.key)),
      )
      .map(({ key }) => key),
    open: issues
      .filter(({ id }) => jira.jira.rights.maySee(person, world.numberOf(id) ?? 0))
      .map(({ key }) => key),
  };
}

const person = fc.nat(cast.length - 1);
const holder: fc.Arbitrary<Holder> = fc.oneof(
  fc.constantFrom<Holder>(
    { type: 'reporter' },
    { type: 'assignee' },
    { type: 'userCustomField' },
    { type: 'groupCustomField' },
    { type: 'sd.customer.portal.only' },
    { type: 'projectLead' },
    { type: 'applicationRole', licence: '' },
    { type: 'applicationRole', licence: 'jira-servicedesk' },
    { type: 'anyone' },
  ),
  fc.record({ type: fc.constant('user' as const), person }),
  fc.record({ type: fc.constant('group' as const), group: fc.nat(groups.length - 1) }),
  fc.record({
    type: fc.constant('projectRole' as const),
    people: fc.array(person, { maxLength: 3 }),
    group: fc.option(fc.nat(groups.length - 1)),
  }),
);
const holders = fc.array(holder, { maxLength: 3 });

describe.each(['cloud', 'dataCenter'] as const)('permissionsOf on %s', (mode) => {
  test('is what Jira itself lets everybody browse', async () => {
    const started = await startTracker({ mode, issues: 250 });
    const { jira } = started;
    for (const who of [0, 2, 4, 9, 15]) {
      const { sight, opened, open } = await compared(started, who);
      const browsed = projects.map(({ key }) => key).filter((key) => jira.rights.mayBrowse(who, key));
      expect([...sight.projects]).toEqual(browsed);
      expect(opened).toEqual(open);
      expect(sight.unasked).toBe(0);
    }
  });

  test('is that whomever projects and levels are granted to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(holders, { minLength: projects.length, maxLength: projects.length }),
        fc.array(holders, { minLength: levels.length, maxLength: levels.length }),
        person,
        async (ofProjects, ofLevels, who) => {
          const started = await startTracker({ mode, issues: 150, more: { projects: 5 } });
          const { rights } = started.jira;
          projects.forEach(({ key }, i) => {
            rights.grant(key, ofProjects[i] ?? []);
          });
          levels.forEach((_, level) => {
            rights.grantLevel(level, ofLevels[level] ?? []);
          });
          // More projects than Data Center is asked about one by one, where that is stored.
          for (const about of [browsable(started.world), await withAccess(started)]) {
            const { sight, opened, open } = await compared(started, who, about);
            expect(opened).toEqual(open);
            expect(sight.unasked).toBe(0);
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('a project that the reporter may browse is open issue by issue, but to whom it is granted anyway', async () => {
    const started = await startTracker({ mode, issues: 200 });
    started.jira.rights.grant('DESK', [{ type: 'reporter' }, { type: 'group', group: 1 }]);
    const reporter = await compared(started, 9);
    expect(reporter.sight.projects.has('DESK')).toBe(false);
    expect([...reporter.sight.closedProjects]).toContain('DESK');
    expect([...reporter.sight.partly]).toEqual(['DESK']);
    expect(reporter.opened).toEqual(reporter.open);
    expect(reporter.open.some((key) => key.startsWith('DESK-'))).toBe(true);
    expect((await permissionsOf(started, 4)).projects.has('DESK')).toBe(true);
  });

  test('a project whose permission scheme cannot be read is closed, and its issues are counted', async () => {
    const manners = { sealed: new Set(['DESK']) };
    const started = await startTracker({ mode, issues: 200, manners });
    const { sight, opened } = await compared(started, 0);
    expect(opened.filter((key) => key.startsWith('DESK-'))).toEqual([]);
    const inDesk = [...started.world.keys()].filter((key) => key.startsWith('DESK-'));
    expect(sight.unasked).toBe(inDesk.length);
    expect(inDesk.length).toBeGreaterThan(10);
  });

  test('a permission scheme is read once an hour, whoever asks, and sooner only where it was refused', async () => {
    const started = await startTracker({ mode, issues: 20, manners: { sealed: new Set(['DESK']) } });
    const { jira, pass } = started;
    const read = (key: string) =>
      jira.calls.filter(({ path }) => path.endsWith(`/project/${key}/permissionscheme`)).length;
    await permissionsOf(started, 0);
    await permissionsOf(started, 4);
    expect([read('LARK'), read('DESK')]).toEqual([1, 1]);
    pass(5 * millisecondsInMinute);
    await permissionsOf(started, 0);
    expect([read('LARK'), read('DESK')]).toEqual([1, 2]);
    pass(55 * millisecondsInMinute);
    await permissionsOf(started, 0);
    expect(read('LARK')).toBe(2);
  });

  test('a project whose permission scheme fails is closed and counted, and no other', async () => {
    const started = await startTracker({ mode, issues: 200 });
    const { jira, world, pass } = started;
    const inDesk = [...world.keys()].filter((key) => key.startsWith('DESK-'));
    const whole = await permissionsOf(started, 0);
    pass(60 * millisecondsInMinute);
    const faults = [refusal(500, 'Out of order.'), altered(() => ({ id: 10_000 }))];
    for (const fault of faults) {
      jira.faults.push('/project/DESK/permissionscheme', fault, 100);
      const { projects: open, unasked } = await permissionsOf(started, 0);
      expect([...open]).toEqual([...whole.projects].filter((key) => key !== 'DESK'));
      expect(unasked).toBe(inDesk.length);
      jira.faults.clear();
      pass(millisecondsInMinute);
    }
    expect(whole.projects.has('DESK')).toBe(true);
    expect((await permissionsOf(started, 0)).projects).toEqual(whole.projects);
  });

  test('a project of which a role or the lead fails is closed, and no other', async () => {
    for (const type of ['projectRole', 'projectLead'] as const) {
      const started = await startTracker({ mode, issues: 60 });
      const { jira } = started;
      const one: Holder = type === 'projectRole' ? { type, people: [0], group: null } : { type };
      jira.rights.grant('DESK', [{ type: 'reporter' }, one]);
      const path = type === 'projectRole' ? /GET \/project\/DESK\/role\/\d+$/ : /GET \/project\/DESK$/;
      jira.faults.push(path, refusal(500, 'Out of order.'), 100);
      const { projects: open, closedProjects, unasked } = await permissionsOf(started, 0);
      expect(closedProjects.has('DESK')).toBe(true);
      expect(open.has('LARK')).toBe(true);
      expect(unasked).toBeGreaterThan(0);
    }
  });

  test('what failed of a project is asked again after half a minute, whoever asks', async () => {
    const started = await startTracker({ mode, issues: 60 });
    const { jira, pass } = started;
    const read = () => jira.calls.filter(({ path }) => path === '/project/DESK/permissionscheme').length;
    jira.faults.push('/project/DESK/permissionscheme', refusal(500, 'Out of order.'), 100);
    await permissionsOf(started, 0);
    const tries = read();
    pass(millisecondsInMinute / 2 - 1);
    await permissionsOf(started, 4);
    expect(read()).toBe(tries);
    jira.faults.clear();
    pass(1);
    expect((await permissionsOf(started, 0)).projects.has('DESK')).toBe(true);
    expect(read()).toBe(tries + 1);
  });

  test('fails where every permission scheme does', async () => {
    const started = await startTracker({ mode, issues: 60 });
    started.jira.faults.push('/permissionscheme', refusal(500, 'Out of order.'), 100);
    await expect(permissionsOf(started, 0)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('/permissionscheme with HTTP 500'),
    });
  });

  test('fails where our account is let in no longer, and is told anew once it is', async () => {
    const started = await startTracker({ mode, issues: 60 });
    started.jira.faults.push('/project/DESK/permissionscheme', refusal(401, 'Who are you?'), 1);
    await expect(permissionsOf(started, 0)).rejects.toMatchObject({ code: 'not-allowed' });
    expect((await permissionsOf(started, 0)).projects.has('DESK')).toBe(true);
  });

  test('a grant that cannot be read opens issue by issue if it may be one to browse, and else counts for nothing', async () => {
    for (const [unread, isWhole] of [
      [{ permission: 'ADD_COMMENTS' }, true],
      [{ permission: 'BROWSE_PROJECTS' }, false],
      [{ holder: { type: 'anyone' } }, false],
    ] as const) {
      const started = await startTracker({ mode, issues: 200 });
      const scheme = {
        id: 10_000,
        permissions: [
          unread,
          { permission: 'BROWSE_PROJECTS', holder: { type: 'user', parameter: 'nobody' } },
        ],
      };
      started.jira.faults.push(
        '/project/DESK/permissionscheme',
        altered(() => scheme),
        100,
      );
      const { sight, opened, open } = await compared(started, 0);
      expect(sight.projects.has('DESK')).toBe(isWhole);
      expect(sight.partly.has('DESK')).toBe(!isWhole);
      expect(opened).toEqual(open);
      expect(sight.unasked).toBe(0);
    }
  });

  test('tells how many requests it took', async () => {
    const started = await startTracker({ mode, issues: 60 });
    await permissionsOf(started, 0);
    const before = started.jira.calls.length;
    const { requests } = await permissionsOf(started, 0);
    expect(requests).toBe(started.jira.calls.length - before);
    expect(requests).toBeGreaterThan(0);
  });

  test('a project is administered by whom Jira says, and by nobody it does not know', async () => {
    const { tracker, world, jira } = await startTracker({ mode, issues: 20 });
    jira.rights.putInCharge('LARK', [9, 15]);
    const administers = (who: number, key: string) => tracker.administers?.(userOf(world, who), key);
    for (const who of [0, 9, 15]) expect(await administers(who, 'LARK')).toBe(who > 0);
    expect([await administers(9, 'DESK'), await administers(9, 'NOPE')]).toEqual([false, false]);
    expect(await tracker.administers?.({ id: 'nobody', name: 'Nobody', login: 'nobody' }, 'LARK')).toBe(
      false,
    );
  });

  test('nobody is said to administer a project where our account may not ask', async () => {
    const { tracker, world } = await startTracker({ mode, issues: 20, manners: { administers: false } });
    await expect(tracker.administers?.(userOf(world, 3), 'LARK')).rejects.toMatchObject({
      reason: 'tracker-permission-missing',
      message: expect.stringMatching(
        /^Jira does not show who can administer a project: Jira at .* \(HTTP 403\)/,
      ),
    });
  });

  test('is nothing for somebody Jira does not know', async () => {
    const { tracker, world } = await startTracker({ mode, issues: 60 });
    const nobody = await tracker.permissions({ id: 'nobody', name: 'Nobody' }, [], browsable(world));
    expect([nobody.projects.size, nobody.issues.size, nobody.unasked]).toEqual([0, 0, 0]);
  });

  test('says what our account lacks when it may not ask', async () => {
    const started = await startTracker({ mode, issues: 60, manners: { administers: false } });
    await expect(permissionsOf(started, 1)).rejects.toMatchObject({
      code: 'unavailable',
      details: [
        expect.stringMatching(/^Give Dwell's Jira account the global permission '.*JIRA_RIGHTS=rules/),
      ],
    });
  });
});

describe('on Cloud', () => {
  test('projects are asked for again after five minutes, and only then', async () => {
    const started = await startTracker({ issues: 20 });
    const lookUps = () => started.jira.calls.filter(({ path }) => path === '/project/search').length;
    await permissionsOf(started, 0);
    started.pass(5 * millisecondsInMinute - 1000);
    await permissionsOf(started, 0);
    expect(lookUps()).toBe(1);
    started.pass(1000);
    await permissionsOf(started, 0);
    expect(lookUps()).toBe(2);
  });

  test('a project that our account may not browse is closed', async () => {
    const started = await startTracker({ issues: 20, manners: { withheld: new Set(['LARK']) } });
    const { projects: open } = await permissionsOf(started, 0);
    expect(open.has('LARK')).toBe(false);
    expect(open.has('DESK')).toBe(true);
  });

  test('a thousand issues are asked about at once, two hundred times, and the rest is counted', async () => {
    const started = await startTracker({ issues: 20 });
    const { jira, world } = started;
    const [id = '', key = ''] = [[...world.ids()][0], [...world.keys()][0]];
    const one = { row: 0, id, key, project: 'LARK', level: '10500', permissionKey: () => '' };
    const checks = () => jira.calls.filter(({ path }) => path === '/permissions/check').length;
    const of = (count: number) => ({
      projects: ['LARK'],
      ...holding([one]),
      singles: Array.from({ length: count }, () => one),
    });
    await permissionsOf(started, 0, of(2500));
    expect(checks()).toBe(4);
    const { unasked } = await permissionsOf(started, 0, of(200_017));
    expect(checks()).toBe(4 + 201);
    expect(unasked).toBe(17);
  });
});

describe('on Data Center', () => {
  const single = (row: number, id: string, key: string, permissionKey: string): SingleIssue => ({
    ...{ row, id, key, project: 'LARK', level: '10500' },
    permissionKey: () => permissionKey,
  });
  const asked = ({ jira }: Started) => jira.calls.flatMap(({ query }) => query.issueKey ?? []);

  test('one issue stands for those with its level that are like it, and for no other', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 600 });
    const about = browsable(started.world);
    const kinds = new Set(
      about.singles.map(({ project, level, permissionKey }) => `${project} ${level} ${permissionKey()}`),
    );
    await permissionsOf(started, 0, about);
    expect(asked(started)).toHaveLength(kinds.size);
  });

  test('where a level goes by a field of groups only issues with the same group share an answer', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 600 });
    started.jira.rights.grantLevel(0, [{ type: 'groupCustomField' }]);
    for (const who of [4, 5]) {
      const { opened, open } = await compared(started, who);
      expect(opened).toEqual(open);
    }
  });

  test('another issue is asked about when the one that stood for others is gone, and few more', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 600 });
    const { world, pass } = started;
    const like = browsable(world)
      .singles.filter(({ project, level }) => project === 'LARK' && level === '10500')
      .map(({ row, id, key }) => single(row, id, key, 'all alike'));
    const about = { ...browsable(world), ...holding(like) };
    pass(millisecondsInDay);
    world.remove(like[0]?.key ?? '');
    expect((await permissionsOf(started, 0, about)).issues.size).toBe(like.length);
    for (const { key } of like.slice(1, 3)) world.remove(key);
    const { issues, unasked } = await permissionsOf(started, 0, about);
    expect([issues.size, unasked]).toEqual([0, like.length]);
  });

  test('five hundred are asked about one by one, and the rest is counted', async () => {
    const started = await startTracker({ mode: 'dataCenter', issues: 20 });
    const [id = '', key = ''] = [[...started.world.ids()][0], [...started.world.keys()][0]];
    const singles = Array.from({ length: 511 }, (_, i) => single(i, id, key, String(i)));
    const { unasked } = await permissionsOf(started, 0, { projects: ['LARK'], ...holding(singles) });
    expect(unasked).toBe(11);
    expect(asked(started)).toHaveLength(500);
  });

  test('whoever is called by a longer name is somebody else', async () => {
    const { tracker, world } = await startTracker({ mode: 'dataCenter', issues: 20 });
    const impostor = { id: 'JIRAUSER99', name: 'Mara', login: 'mara' };
    expect((await tracker.permissions(impostor, [], browsable(world))).projects.size).toBe(0);
  });
});

describe.each(['cloud', 'dataCenter'] as const)('with stored access to the projects of %s', (mode) => {
  const start = () => startTracker({ mode, issues: 60, more: { projects: 20 } });
  const schemes = ({ jira }: Started) =>
    jira.calls.filter(({ path }) => path.endsWith('/permissionscheme')).length;

  test('permissions need a few requests, and no permission scheme', async () => {
    const started = await start();
    const about = await withAccess(started);
    const before = [schemes(started), started.jira.calls.length];
    const { projects: open } = await permissionsOf(started, 4, about);
    expect(open.size).toBe(started.world.projects.length - 1);
    expect(schemes(started)).toBe(before[0]);
    expect(started.jira.calls.length - (before[1] ?? 0)).toBeLessThanOrEqual(mode === 'cloud' ? 3 : 10);
  });

  test('a project that is not stored, or in another form, is asked about', async () => {
    const started = await start();
    const { accessOf, ...about } = await withAccess(started);
    const before = schemes(started);
    const odd: Readonly<Record<string, unknown>> = { DESK: { id: 7 }, LARK: undefined };
    const { projects: open } = await permissionsOf(started, 4, {
      ...about,
      accessOf: (key) => (key in odd ? odd[key] : accessOf(key)),
    });
    expect([open.has('DESK'), open.has('LARK'), schemes(started) - before]).toEqual([true, true, 2]);
  });

  test('projects whose schemes are refused or fail are not stored, and no other is left out', async () => {
    const started = await start();
    started.jira.manners.sealed.add('DESK');
    started.jira.faults.push('/project/LARK/permissionscheme', refusal(500, 'Out of order.'), 10);
    const { projects: all, accessOf } = await withAccess(started);
    expect(all.filter((key) => accessOf(key) === undefined)).toEqual(['LARK', 'DESK']);
  });
});

describe('with stored access to many projects of Data Center', () => {
  const start = () => startTracker({ mode: 'dataCenter', issues: 60, more: { projects: 20 } });

  test('a person that Jira has suspended, or has another by that login, can browse nothing', async () => {
    for (const change of [{ active: false }, { key: 'JIRAUSER1' }]) {
      const started = await start();
      const about = await withAccess(started);
      expect((await permissionsOf(started, 4, about)).projects.size).toBeGreaterThan(20);
      started.jira.faults.push(
        ({ path }) => path === '/user',
        altered((body) => ({ ...(body ?? {}), ...change })),
      );
      const { projects: open, issues } = await permissionsOf(started, 4, about);
      expect([open.size, issues.size]).toEqual([0, 0]);
    }
  });

  test('Jira is asked about each project where it does not show all groups of a person', async () => {
    const started = await start();
    const about = await withAccess(started);
    started.jira.faults.push(
      ({ path }) => path === '/user',
      altered((body) => ({ ...(body ?? {}), groups: { size: 9, items: [] } })),
    );
    const before = started.jira.calls.length;
    const { projects: open } = await permissionsOf(started, 4, about);
    expect(open.size).toBe(started.world.projects.length - 1);
    expect(started.jira.calls.length - before).toBeGreaterThan(20);
  });

  test('one who left a group is closed out at once, and Jira is asked where a role is not shown', async () => {
    const started = await start();
    const { jira, world } = started;
    jira.rights.grant('DESK', [{ type: 'group', group: 1 }]);
    jira.rights.grant('LARK', [{ type: 'projectRole', people: [4], group: null }]);
    jira.faults.push(/\/project\/LARK\/role\//, refusal(404, 'No such role.'));
    const about = await withAccess(started);
    const asked = () => jira.calls.flatMap(({ query }) => query.projectKey ?? []);
    const { projects: open } = await permissionsOf(started, 4, about);
    expect([open.has('DESK'), open.has('LARK'), asked()]).toEqual([true, true, ['LARK']]);
    jira.faults.push(
      ({ path }) => path === '/user',
      altered((body) => ({ ...(body ?? {}), groups: { size: 0, items: [] } })),
    );
    // The lists still have the person in the group.
    const later = await started.tracker.permissions(userOf(world, 4), groupsOf(world, 4), about);
    expect([later.projects.has('DESK'), later.projects.has('LARK')]).toEqual([false, true]);
  });
});
