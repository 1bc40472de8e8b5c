import { describe, expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { type BrowsePermissions, closedTo, stillCovers } from '../../../src/model/request.ts';
import {
  browseScopeOf,
  browseScopeSince,
  closedProjects,
  rightsOf,
} from '../../../src/selection/access/access-rules.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

const day = '2026-01-05T00:00:00Z';
const { issue } = anIssue('SEC-1', day);
const leveled = anIssue('WEB-1', day).changes('security', null, 'board', day).issue;
const groups = [{ id: 'rep', name: 'rep', members: ['mallory'] }];
const root = principalOf('root', 'admin');
const ann = principalOf('ann');
const sees = (
  user: string,
  of: Issue,
  viewers: readonly string[] | null,
  kind: 'project' | 'level' = 'project',
) =>
  rightsOf(principalOf(user), {
    access: viewers === null ? [] : [{ kind, id: kind === 'project' ? 'sec' : 'board', viewers }],
    groups,
    permissions: null,
  })(of);

test('a project without a rule is open, one with a rule to its viewers and the members of its groups', () => {
  expect(sees('ann', issue, null)).toBe(true);
  expect(sees('ann', issue, [])).toBe(false);
  expect(sees('ann', issue, ['ann'])).toBe(true);
  expect(sees('mallory', issue, ['group:rep'])).toBe(true);
});

test('a user and a group called alike can be told apart', () => {
  expect(sees('rep', issue, ['user:rep'])).toBe(true);
  expect(sees('mallory', issue, ['user:rep'])).toBe(false);
  expect(sees('rep', issue, ['group:rep'])).toBe(false);
});

test('a security level is closed but to its viewers, the reporter, the assignee and admins', () => {
  expect(sees('ann', leveled, null)).toBe(false);
  expect(sees('ann', leveled, ['ann'], 'level')).toBe(true);
  expect(sees('ann', { ...leveled, assignee: { id: 'ann', name: 'Ann' } }, null)).toBe(true);
  const reported = { ...leveled, fields: { ...leveled.fields, reporter: { id: 'ann', name: 'Ann' } } };
  expect(sees('ann', reported, null)).toBe(true);
  expect(rightsOf(root, { access: [], groups: [], permissions: null })(leveled)).toBe(true);
});

const rule = { kind: 'project', id: 'web', viewers: [] } as const;
const permissionsOf = (projects: readonly string[], issues: readonly string[] = []) => ({
  access: [rule],
  groups,
  permissions: {
    ...{ projects: new Set(projects), closedProjects: new Set<string>() },
    ...{ issues: new Set(issues), unasked: 0 },
  },
});

describe('where the tracker decides', () => {
  test('a project is open if the permissions name it, whatever the rules say', () => {
    expect(rightsOf(ann, permissionsOf(['SEC']))(issue)).toBe(true);
    expect(rightsOf(ann, permissionsOf(['WEB']))(issue)).toBe(false);
    expect(rightsOf(ann, permissionsOf(['WEB']))(anIssue('WEB-2', day).issue)).toBe(true);
    expect(rightsOf(ann, permissionsOf([]))(issue)).toBe(false);
  });

  test('an issue with a level must be named as well; who reports it or works on it does not count', () => {
    const own = {
      ...leveled,
      assignee: { id: 'ann', name: 'Ann' },
      fields: { ...leveled.fields, reporter: { id: 'ann', name: 'Ann' } },
    };
    expect(rightsOf(ann, permissionsOf(['WEB']))(own)).toBe(false);
    expect(rightsOf(ann, permissionsOf(['WEB'], ['WEB-1']))(own)).toBe(true);
  });

  test('of a project that is open issue by issue those that are named are, and the project itself is closed', () => {
    const partly = permissionsOf([], ['WEB-1', 'WEB-2']);
    expect(rightsOf(ann, partly)(leveled)).toBe(true);
    expect(rightsOf(ann, partly)(anIssue('WEB-2', day).issue)).toBe(true);
    expect(rightsOf(ann, partly)(anIssue('WEB-3', day).issue)).toBe(false);
    expect(closedProjects(ann, partly)?.('WEB')).toBe(true);
  });

  test('a project nobody has heard of is closed', () => {
    const isClosed = closedProjects(ann, permissionsOf(['WEB']));
    expect(['WEB', 'web', 'GHOST'].map((key) => isClosed?.(key))).toEqual([false, false, true]);
  });

  test('an admin sees everything', () => {
    expect(rightsOf(root, permissionsOf([]))(leveled)).toBe(true);
    expect(closedProjects(root, permissionsOf([]))).toBeNull();
  });
});

describe('what could be seen then may be seen still', () => {
  const byTracker = (...permissions: Parameters<typeof permissionsOf>) =>
    browseScopeOf(ann, permissionsOf(...permissions));
  const everything = browseScopeOf(root, permissionsOf([]));
  const byRules = { closedProjects: ['SEC'], openLevels: [], everything: false };

  test('as long as the tracker opens what it opened then', () => {
    const then = byTracker(['WEB', 'APP'], ['WEB-1']);
    expect(stillCovers(then, then)).toBe(true);
    expect(stillCovers(then, byTracker(['WEB', 'APP', 'OPS'], ['WEB-1', 'WEB-2']))).toBe(true);
    expect(stillCovers(then, byTracker(['WEB'], ['WEB-1']))).toBe(false);
    expect(stillCovers(then, byTracker(['WEB', 'APP']))).toBe(false);
    expect(stillCovers(byTracker([]), byTracker([]))).toBe(true);
  });

  test('by whoever has become an admin, and not by whoever was one', () => {
    expect(stillCovers(byTracker(['WEB']), everything)).toBe(true);
    expect(stillCovers(byRules, everything)).toBe(true);
    expect(stillCovers(everything, byTracker(['WEB']))).toBe(false);
    expect(stillCovers(everything, byRules)).toBe(false);
  });

  test('not if the tracker has taken the place of the rules since, or they its place', () => {
    expect(stillCovers(byRules, byTracker(['WEB']))).toBe(false);
    expect(stillCovers(byTracker(['WEB']), byRules)).toBe(false);
  });

  test('also after it was kept as JSON', () => {
    const stored = JSON.parse(JSON.stringify(byTracker(['WEB'], ['WEB-1'])));
    expect(stillCovers(stored, byTracker(['WEB'], ['WEB-1']))).toBe(true);
    expect(closedTo(stored)?.('SEC')).toBe(true);
  });
});

const principal = principalOf('ada');
const open = (key: string) => anIssue(key, day).issue;
const restricted = (key: string) => anIssue(key, day).changes('security', null, 'board', day).issue;

/** Whether who saw projects and single issues then may have them still, with these issues here now. */
async function covers(
  then: { readonly projects: readonly string[]; readonly issues: readonly string[] },
  now: { readonly projects: readonly string[]; readonly issues?: readonly string[] },
  here: readonly Issue[],
): Promise<boolean> {
  const permissions: BrowsePermissions = {
    projects: new Set(now.projects),
    closedProjects: new Set(
      here.map(({ key }) => key.slice(0, 3)).filter((key) => !now.projects.includes(key)),
    ),
    ...{ issues: new Set(now.issues), unasked: 0 },
  };
  const rights = { access: [], groups: [], permissions };
  const issue = async (key: string) => here.find((one) => one.key === key) ?? null;
  const scope = { openProjects: then.projects, openIssues: then.issues };
  // Files that were made before are asked for again with the scope they were stored with.
  const stored = JSON.parse(JSON.stringify(scope));
  return stillCovers(stored, await browseScopeSince(stored, principal, rights, issue));
}

const then = { projects: ['WEB', 'APP'], issues: ['WEB-1'] };

test('what was open is not closed by a level that was lifted, for everybody may see the issue now', async () => {
  expect(await covers(then, { projects: ['WEB', 'APP'] }, [open('WEB-1')])).toBe(true);
});

test('nor by an issue that is gone, or a project that has no issues any more', async () => {
  expect(await covers(then, { projects: ['WEB'] }, [open('WEB-2')])).toBe(true);
  expect(await covers({ projects: ['WEB'], issues: [] }, { projects: [] }, [])).toBe(true);
});

test('but by a project that is here and closed, as a whole or but for some issues', async () => {
  const here = [open('WEB-1'), open('APP-2')];
  expect(await covers(then, { projects: ['WEB'] }, here)).toBe(false);
  expect(await covers(then, { projects: ['WEB'], issues: ['APP-2'] }, here)).toBe(false);
});

test('and by an issue that is here and closed', async () => {
  const here = [restricted('WEB-1'), open('APP-2')];
  expect(await covers(then, { projects: ['WEB', 'APP'] }, here)).toBe(false);
  expect(await covers(then, { projects: ['WEB', 'APP'], issues: ['WEB-1'] }, here)).toBe(true);
});
