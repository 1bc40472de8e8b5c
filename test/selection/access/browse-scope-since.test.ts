import { expect, test } from '#jest';
import type { Issue } from '../../../src/model/issue.ts';
import { type BrowsePermissions, stillCovers } from '../../../src/model/request.ts';
import { browseScopeSince } from '../../../src/selection/access/access-rules.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

const principal = principalOf('ada');
const day = '2026-03-02T09:00:00Z';
const open = (key: string) => anIssue(key, day).issue;
const levelled = (key: string) => anIssue(key, day).changes('security', null, 'board', day).issue;

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
  // Files that were made before are asked for again with the scope they were kept with.
  const kept = JSON.parse(JSON.stringify(scope));
  return stillCovers(kept, await browseScopeSince(kept, principal, rights, issue));
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
  const here = [levelled('WEB-1'), open('APP-2')];
  expect(await covers(then, { projects: ['WEB', 'APP'] }, here)).toBe(false);
  expect(await covers(then, { projects: ['WEB', 'APP'], issues: ['WEB-1'] }, here)).toBe(true);
});
