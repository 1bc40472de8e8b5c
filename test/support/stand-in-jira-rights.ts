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
import { cast, groups, levels } from './stand-in-jira-cast.ts';
import type { IssueNow } from './stand-in-jira-issue.ts';
import type { JiraManners } from './stand-in-jira-manners.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** Whom a scheme names. People and groups are indexes of the cast; members of a role are people, then groups. */
export type Holder =
  | { readonly type: 'anyone' | 'reporter' | 'assignee' | 'projectLead' }
  | { readonly type: 'userCustomField' | 'groupCustomField' | 'sd.customer.portal.only' }
  | { readonly type: 'applicationRole'; readonly licence: string }
  | { readonly type: 'user'; readonly person: number }
  | { readonly type: 'group'; readonly group: number }
  | { readonly type: 'projectRole'; readonly people: readonly number[]; readonly group: number | null };

/** The lead of every project. */
const LEAD = 3;
/** Those with a licence: all but an app. */
const LICENCE = 'jira-software';
const isLicensed = (person: number, licence: string) =>
  cast[person]?.app === false && ['', LICENCE].includes(licence);
const ROLE = 10_360;

/** Who may browse what. People are indexes of the cast. */
export function createRights(world: JiraWorld) {
  const { projects } = world;
  const granted = new Map<string, readonly Holder[]>(
    projects.map(({ key, browsers }) => [key, holdersOf(browsers)]),
  );
  const levelHolders = new Map<number, readonly Holder[]>(
    levels.map(({ members }, level) => [
      level,
      [...holdersOf(members), { type: 'reporter' }, { type: 'assignee' }],
    ]),
  );

  /** By id of issue: whom the roles it is restricted to have. */
  const roles = new Map<string, readonly number[]>();

  /** Issue null: whether it may be, of some issue; so Jira answers where a project is asked about. */
  function holds(one: Holder, person: number, issue: IssueNow | null): boolean {
    switch (one.type) {
      case 'anyone':
        return true;
      case 'applicationRole':
        return isLicensed(person, one.licence);
      case 'projectLead':
        return person === LEAD;
      case 'user':
        return person === one.person;
      case 'group':
        return isMember(person, one.group);
      case 'projectRole':
        return one.people.includes(person) || (one.group !== null && isMember(person, one.group));
      case 'reporter':
        return issue === null || issue.reporter === person;
      case 'assignee':
        return issue === null || issue.assignee === person;
      case 'userCustomField':
        return issue === null || watcherOf(issue) === person;
      case 'groupCustomField':
        return issue === null || isMember(person, teamOf(issue));
      case 'sd.customer.portal.only':
        return issue === null || issue.reporter === person;
    }
  }

  function mayBrowse(person: number, project: string): boolean {
    return granted.get(project)?.some((one) => holds(one, person, null)) ?? false;
  }

  /** By key of project: who administers it. */
  const administrators = new Map<string, readonly number[]>();

  return {
    mayBrowse,
    mayAdminister: (person: number, project: string) =>
      (administrators.get(project) ?? [LEAD]).includes(person),
    /** Makes these people, and nobody else, the administrators of a project: without it its lead is. */
    putInCharge(project: string, people: readonly number[]): void {
      administrators.set(project, people);
    },
    holdersOf: (project: string) => granted.get(project) ?? [],
    /** Gives a project to these people and to nobody else; null: to everybody. */
    open(project: string, people: readonly number[] | null): void {
      granted.set(project, holdersOf(people));
    },
    /** Gives a project to these holders and to nobody else. */
    grant(project: string, holders: readonly Holder[]): void {
      granted.set(project, holders);
    },
    /** Gives a level, by its place in the cast, to these holders and to nobody else. */
    grantLevel(level: number, holders: readonly Holder[]): void {
      levelHolders.set(level, holders);
    },
    /** Restricts an issue to roles that these people have. */
    restrictTo(id: string, people: readonly number[]): void {
      roles.set(id, people);
    },
    /** An issue is seen by whom its project, and its level and its roles, if it has any, are granted to. */
    maySee(person: number, number: number): boolean {
      const issue = world.issue(number);
      const { project, level } = issue;
      const isOpen = granted.get(project.key)?.some((one) => holds(one, person, issue)) ?? false;
      if (roles.get(issue.id)?.includes(person) === false) return false;
      if (!isOpen || level === null) return isOpen;
      return levelHolders.get(level)?.some((one) => holds(one, person, issue)) ?? false;
    },
  };
}

/** Whom the field of people names. */
export function watcherOf({ id }: Pick<IssueNow, 'id'>): number {
  return (Number(id) * 7) % cast.length;
}

/** The group, by its place in the cast, that the field of groups names: never the one of everybody. */
export function teamOf({ id }: Pick<IssueNow, 'id'>): number {
  return 1 + (Number(id) % 2);
}

function isMember(person: number, group: number): boolean {
  const members: readonly number[] = groups[group]?.members ?? [];
  return members.includes(person);
}

function holdersOf(people: readonly number[] | null): readonly Holder[] {
  return people === null ? [{ type: 'anyone' }] : people.map((person) => ({ type: 'user', person }));
}

type JiraRights = ReturnType<typeof createRights>;

/** What others may do, as an administrator may ask. */
export function rightsRoutes(
  world: JiraWorld,
  manners: JiraManners,
  rights: JiraRights,
): readonly JiraRoute[] {
  const isCloud = world.mode === 'cloud';
  const { projects } = world;

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
    const projectPermissions = questions.flatMap((question) =>
      textsIn(asked(question, 'permissions')).map((permission) => {
        const administers = permission === 'ADMINISTER_PROJECTS';
        const open = textsIn(asked(question, 'projects')).filter((id) => {
          const project = projects.find((one) => one.id === id);
          if (project === undefined) return false;
          return administers
            ? rights.mayAdminister(person, project.key)
            : rights.mayBrowse(person, project.key);
        });
        const seen = textsIn(asked(question, 'issues')).filter((id) => {
          const number = world.numberOf(id);
          return number !== null && rights.maySee(person, number);
        });
        return { permission, projects: open.map(Number), issues: seen.map(Number) };
      }),
    );
    return fine({ projectPermissions, globalPermissions: [] });
  }

  /** Whoever may browse, found by the beginning of login, name or address. */
  function viewers({ query }: JiraAsked): JiraAnswer {
    if (!manners.administers) return refused(403, 'You do not have permission to find users.');
    const [key, projectKey] = [query.get('issueKey'), query.get('projectKey')];
    const number = key === null ? null : world.numberOf(key);
    if (key !== null && number === null) return refused(404, `There is no issue ${key}.`);
    if (key === null && !projects.some((one) => one.key === projectKey)) {
      return refused(404, `There is no project ${projectKey}.`);
    }
    const sees = (person: number) =>
      number === null ? rights.mayBrowse(person, projectKey ?? '') : rights.maySee(person, number);
    return pageOf(query, sees);
  }

  /** A page of those whose login or name begins as is asked for, and who are meant. */
  function pageOf(query: URLSearchParams, isMeant: (person: number) => boolean): JiraAnswer {
    const username = query.get('username')?.toLowerCase() ?? '';
    const startAt = numberIn(query.get('startAt') ?? 0, 0);
    const maxResults = Math.min(numberIn(query.get('maxResults') ?? 50, 50), 1000);
    const found = cast.flatMap((one, person) => {
      const matches = [one.name, one.displayName].some((text) => text.toLowerCase().startsWith(username));
      return matches && isMeant(person) ? [world.json.people[person]] : [];
    });
    return fine(found.slice(startAt, startAt + maxResults), found.length, true);
  }

  /** Those with all of some permissions in a project, found likewise. */
  function permitted({ query }: JiraAsked): JiraAnswer {
    if (!manners.administers) return refused(403, 'You do not have permission to find users.');
    const key = query.get('projectKey') ?? '';
    if (!projects.some((one) => one.key === key)) return refused(404, `There is no project ${key}.`);
    const permissions = textsIn(query.get('permissions'));
    const unknown = permissions.find((one) => !['PROJECT_ADMIN', 'BROWSE'].includes(one));
    if (permissions.length === 0 || unknown !== undefined)
      return refused(400, `Permission ${unknown} does not exist.`);
    return pageOf(query, (person) =>
      permissions.every((one) =>
        one === 'BROWSE' ? rights.mayBrowse(person, key) : rights.mayAdminister(person, key),
      ),
    );
  }

  const idOf = (person: number) => (isCloud ? cast[person]?.accountId : cast[person]?.key);

  function parameterOf(one: Holder, place: number): { readonly parameter?: string; readonly value?: string } {
    switch (one.type) {
      case 'user':
        return { parameter: idOf(one.person) ?? '', ...(isCloud ? { value: idOf(one.person) ?? '' } : {}) };
      case 'group': {
        const { name = '', groupId = '' } = groups[one.group] ?? {};
        return { parameter: name, ...(isCloud ? { value: groupId } : {}) };
      }
      case 'projectRole':
        return { parameter: String(ROLE + place) };
      case 'applicationRole':
        return one.licence === '' ? {} : { parameter: one.licence };
      case 'userCustomField':
        return { parameter: 'customfield_10031' };
      case 'groupCustomField':
        return { parameter: 'customfield_10032' };
      default:
        return {};
    }
  }

  function projectOf(key: string) {
    return manners.withheld.has(key) ? undefined : projects.find((one) => one.key === key);
  }

  function scheme(_: JiraAsked, key: string): JiraAnswer {
    if (!manners.administers || projectOf(key) === undefined || manners.sealed.has(key)) {
      return refused(404, `No project could be found with key '${key}'.`);
    }
    const permissions = rights.holdersOf(key).map((one, place) => ({
      id: 11_000 + place,
      holder: { type: one.type, ...parameterOf(one, place) },
      permission: 'BROWSE_PROJECTS',
    }));
    const other = { id: 10_999, holder: { type: 'anyone' }, permission: 'ADD_COMMENTS' };
    return fine({ id: 10_000, name: `Scheme of ${key}`, permissions: [other, ...permissions] });
  }

  function role(key: string, place: number): JiraAnswer {
    const one = rights.holdersOf(key)[place];
    if (one?.type !== 'projectRole') return refused(404, 'There is no such role.');
    const group = one.group === null ? undefined : groups[one.group];
    const people = one.people.map((person) => ({
      displayName: cast[person]?.displayName,
      type: 'atlassian-user-role-actor',
      ...(isCloud ? { actorUser: { accountId: idOf(person) } } : { name: cast[person]?.name }),
    }));
    const teams =
      group === undefined
        ? []
        : [group].map(({ name, groupId }) => ({
            displayName: name,
            type: 'atlassian-group-role-actor',
            ...{ name, actorGroup: { name, displayName: name, ...(isCloud ? { groupId } : {}) } },
          }));
    return fine({ id: ROLE + place, name: 'Team', actors: [...people, ...teams] });
  }

  function project(_: JiraAsked, key: string): JiraAnswer {
    const one = projectOf(key);
    if (one === undefined) return refused(404, `No project could be found with key '${key}'.`);
    return fine({ ...world.json.projects.get(one.id), lead: world.json.people[LEAD] });
  }

  function user({ query }: JiraAsked): JiraAnswer {
    const wanted = query.get(isCloud ? 'accountId' : query.has('key') ? 'key' : 'username');
    const place = cast.findIndex((one) =>
      isCloud ? one.accountId === wanted : one[query.has('key') ? 'key' : 'name'] === wanted,
    );
    if (place < 0) return refused(404, 'Specified user does not exist.');
    const items = isLicensed(place, '') ? [{ key: LICENCE, name: 'Jira Software' }] : [];
    const expand = (query.get('expand') ?? '').split(',');
    const licences = expand.includes('applicationRoles')
      ? { applicationRoles: { size: items.length, items } }
      : {};
    const own = groups.flatMap(({ name, groupId }, group) =>
      isMember(place, group) ? [isCloud ? { name, groupId } : { name }] : [],
    );
    const inGroups = expand.includes('groups') ? { groups: { size: own.length, items: own } } : {};
    return fine({ ...world.json.people[place], ...inGroups, ...licences }, 1, true);
  }

  const get = (path: string, answer: JiraRoute['answer']): JiraRoute => ({
    ...{ method: 'GET', path, api: 'platform', answer },
  });
  const roles = Array.from({ length: 6 }, (_, place) =>
    get(`/project/:id/role/${ROLE + place}`, (_asked, key) => role(key, place)),
  );
  return [
    isCloud
      ? { method: 'POST', path: '/permissions/check', api: 'platform', answer: check }
      : get('/user/viewissue/search', viewers),
    ...(isCloud ? [] : [get('/user/permission/search', permitted)]),
    get('/project/:id/permissionscheme', scheme),
    get('/project/:id', project),
    get('/user', user),
    ...roles,
  ];
}
