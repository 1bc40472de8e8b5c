import {
  asked,
  fine,
  type JiraAnswer,
  type JiraAsked,
  type JiraRoute,
  numberIn,
  refused,
  textsIn,
} from './stand-in-jira-answer.ts';
import { cast, levels, projects } from './stand-in-jira-cast.ts';
import type { JiraManners } from './stand-in-jira-manners.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** Who may browse what. People are indexes of the cast. */
export function createRights(world: JiraWorld) {
  const granted = new Map<string, ReadonlySet<number> | null>(
    projects.map(({ key, browsers }) => [key, browsers === null ? null : new Set(browsers)]),
  );

  function mayBrowse(person: number, project: string): boolean {
    const some = granted.get(project);
    return some === null || some?.has(person) === true;
  }

  return {
    mayBrowse,
    /** Gives a project to these people and to nobody else; null: to everybody. */
    open(project: string, people: readonly number[] | null): void {
      granted.set(project, people === null ? null : new Set(people));
    },
    /** An issue with a level is seen by the level's members, its reporter and its assignee. */
    maySee(person: number, number: number): boolean {
      const { project, level } = world.standing(number);
      if (!mayBrowse(person, project.key)) return false;
      if (level === null) return true;
      const { reporter, assignee } = world.issue(number);
      const members: readonly number[] = levels[level]?.members ?? [];
      return members.includes(person) || reporter === person || assignee === person;
    },
  };
}

export type JiraRights = ReturnType<typeof createRights>;

/** What others may do, as an administrator may ask. */
export function rightsRoutes(
  world: JiraWorld,
  manners: JiraManners,
  rights: JiraRights,
): readonly JiraRoute[] {
  function check({ body }: JiraAsked): JiraAnswer {
    if (!manners.administers) return refused(403, 'You need the global permission Administer Jira.');
    const person = cast.findIndex(({ accountId }) => accountId === body.accountId);
    if (person < 0) return refused(400, `There is no account ${String(body.accountId)}.`);
    const questions: readonly unknown[] = Array.isArray(body.projectPermissions)
      ? body.projectPermissions
      : [];
    if (questions.some((one) => textsIn(asked(one, 'projects')).length > 1000)) {
      return refused(400, 'At most 1000 projects can be checked at once.');
    }
    if (questions.some((one) => textsIn(asked(one, 'issues')).length > 1000)) {
      return refused(400, 'At most 1000 issues can be checked at once.');
    }
    const projectPermissions = questions.flatMap((question) => {
      const open = textsIn(asked(question, 'projects')).filter((id) => {
        const project = projects.find((one) => one.id === id);
        return project !== undefined && rights.mayBrowse(person, project.key);
      });
      const seen = textsIn(asked(question, 'issues')).filter((id) => {
        const number = world.numberOf(id);
        return number !== null && rights.maySee(person, number);
      });
      return textsIn(asked(question, 'permissions')).map((permission) => ({
        permission,
        projects: open.map(Number),
        issues: seen.map(Number),
      }));
    });
    return fine({ projectPermissions, globalPermissions: [] });
  }

  /** Whoever may browse, found by the beginning of login, name or address. */
  function viewers({ query }: JiraAsked): JiraAnswer {
    if (!manners.administers) return refused(403, 'You do not have permission to find users.');
    const [username, key, projectKey] = [
      query.get('username')?.toLowerCase() ?? '',
      query.get('issueKey'),
      query.get('projectKey'),
    ];
    const number = key === null ? null : world.numberOf(key);
    if (key !== null && number === null) return refused(404, `There is no issue ${key}.`);
    if (key === null && !projects.some((one) => one.key === projectKey)) {
      return refused(404, `There is no project ${projectKey}.`);
    }
    const startAt = numberIn(query.get('startAt') ?? 0, 0);
    const maxResults = Math.min(numberIn(query.get('maxResults') ?? 50, 50), 1000);
    const found = cast.flatMap((one, person) => {
      const matches = [one.name, one.displayName].some((text) => text.toLowerCase().startsWith(username));
      const sees =
        number === null ? rights.mayBrowse(person, projectKey ?? '') : rights.maySee(person, number);
      return matches && sees ? [world.json.people[person]] : [];
    });
    return fine(found.slice(startAt, startAt + maxResults), found.length, true);
  }

  return world.mode === 'cloud'
    ? [{ method: 'POST', path: '/permissions/check', api: 'platform', answer: check }]
    : [{ method: 'GET', path: '/user/viewissue/search', api: 'platform', answer: viewers }];
}
