import {
  fine,
  type JiraAnswer,
  type JiraAsked,
  type JiraRoute,
  numberIn,
  refused,
} from './stand-in-jira-answer.ts';
import { fields, filters, priorities, sprints } from './stand-in-jira-cast.ts';
import { spelled } from './stand-in-jira-json.ts';
import type { JiraManners } from './stand-in-jira-manners.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** Who answers, and the lists that belong to the issues. */
export function listRoutes(world: JiraWorld, manners: JiraManners): readonly JiraRoute[] {
  const { boards, groups, json, mode, projects, site } = world;
  const api = `${site}/rest/api/${mode === 'cloud' ? 3 : 2}`;

  function serverInfo(): JiraAnswer {
    return fine({
      baseUrl: site,
      ...(mode === 'cloud' ? { displayUrl: site } : {}),
      version: mode === 'cloud' ? '1001.0.0-SNAPSHOT' : '9.12.4',
      versionNumbers: mode === 'cloud' ? [1001, 0, 0] : [9, 12, 4],
      deploymentType: mode === 'cloud' ? 'Cloud' : 'Server',
      buildNumber: mode === 'cloud' ? 100_271 : 912_004,
      buildDate: '2026-02-11T08:00:00.000+0000',
      serverTime: spelled(world.now(), 60),
      scmInfo: '0f2a6c1',
      serverTitle: 'Tallow',
    });
  }

  function filterJson({ id, name, jql, owner, share }: (typeof filters)[number]) {
    const sharePermissions =
      share === null
        ? []
        : share === 'group'
          ? [{ id: 10_700, type: 'group', group: { name: groups[1]?.name, groupId: groups[1]?.groupId } }]
          : [{ id: 10_701, type: mode === 'cloud' ? share : 'loggedin' }];
    return { self: `${api}/filter/${id}`, id, name, jql, owner: json.people[owner], sharePermissions };
  }

  function boardJson({ id, name, type, project }: (typeof boards)[number]) {
    const home = projects.find((one) => one.id === project);
    return {
      id,
      self: `${site}/rest/agile/1.0/board/${id}`,
      name,
      type,
      location: { projectId: Number(project), projectKey: home?.key, projectName: home?.name },
    };
  }

  function sprintsOf({ query }: JiraAsked, id: string): JiraAnswer {
    const board = boards.find((one) => String(one.id) === id);
    if (board === undefined)
      return refused(404, 'Board does not exist or you do not have permission to see it.');
    if (board.type !== 'scrum') return refused(400, 'The board does not support sprints');
    const own = { id: 10 * board.id, name: `Sprint of ${board.name}`, state: 'future', boardId: board.id };
    const known = board.id > 1000 ? [own] : sprints.filter((one) => one.boardId === board.id);
    const told = known.map(({ boardId, ...sprint }) => ({
      self: `${site}/rest/agile/1.0/sprint/${sprint.id}`,
      ...sprint,
      originBoardId: boardId,
    }));
    return paged(query, told, 50);
  }

  const projectJson = () =>
    projects.filter(({ key }) => !manners.withheld.has(key)).map(({ id }) => json.projects.get(id));

  function members({ query }: JiraAsked): JiraAnswer {
    const wanted = query.get('groupId') ?? query.get('groupname');
    const group = groups.find(({ groupId, name }) => wanted === groupId || wanted === name);
    if (group === undefined) return refused(404, `There is no group ${wanted}.`);
    return paged(
      query,
      group.members.map((one) => json.people[one]),
      50,
      true,
    );
  }

  function people({ query }: JiraAsked): JiraAnswer {
    const startAt = numberIn(query.get('startAt') ?? 0, 0);
    const maxResults = Math.min(numberIn(query.get('maxResults') ?? 50, 50), 1000);
    const told = json.people.slice(startAt, startAt + maxResults);
    return fine(told, told.length, true);
  }

  const get = (
    path: string,
    answer: JiraRoute['answer'],
    where: JiraRoute['api'] = 'platform',
  ): JiraRoute => ({ method: 'GET', path, api: where, answer });
  const { timeZone: _, ...myself } = json.people[0] ?? { timeZone: '' };

  const same = [
    get('/serverInfo', serverInfo),
    get('/myself', () => fine({ ...myself, timeZone: manners.timeZone }, 1, true)),
    get('/status', () => fine([...json.statuses.values()], json.statuses.size)),
    get('/priority', () =>
      fine(
        priorities.map(({ id, name }) => ({ id, name })),
        priorities.length,
      ),
    ),
    get('/project/:id/versions', (_, key) => {
      const told = manners.versions.get(key) ?? [];
      return fine(told, told.length);
    }),
    get('/field', () => fine(fields.map(fieldJson), fields.length)),
    get('/group/member', members),
    get('/board', ({ query }) => paged(query, boards.map(boardJson), 50), 'software'),
    get('/board/:id/sprint', sprintsOf, 'software'),
    get('/filter/favourite', () => fine(filters.slice(0, 2).map(filterJson), 2)),
  ];
  if (mode === 'dataCenter') {
    return [
      ...same,
      get('/user/search', people),
      get('/groups/picker', () =>
        fine({
          header: `Showing ${groups.length} of ${groups.length} matching groups`,
          total: groups.length,
          groups: groups.map(({ name }) => ({ name, html: name, labels: [] })),
        }),
      ),
      get('/project', () => fine(projectJson())),
    ];
  }
  return [
    ...same,
    get('/users/search', people),
    get('/group/bulk', ({ query }) =>
      paged(
        query,
        groups.map(({ groupId, name }) => ({ groupId, name })),
        50,
        true,
      ),
    ),
    get('/filter/search', ({ query }) =>
      paged(
        query,
        filters.map((one) => shown(filterJson(one), query)),
        50,
      ),
    ),
    get('/project/search', ({ query }) => paged(query, projectJson(), 50)),
  ];
}

/** Only what was asked for by `expand`. */
function shown<Filter extends { jql: unknown; owner: unknown; sharePermissions: unknown }>(
  { jql, owner, sharePermissions, ...rest }: Filter,
  query: URLSearchParams,
) {
  const expand = (query.get('expand') ?? '').split(',');
  return {
    ...rest,
    ...(expand.includes('jql') ? { jql } : {}),
    ...(expand.includes('owner') ? { owner } : {}),
    ...(expand.includes('sharePermissions') ? { sharePermissions } : {}),
  };
}

function fieldJson({ id, name, custom }: (typeof fields)[number]) {
  const type = id === 'labels' ? 'array' : id === 'created' || id === 'updated' ? 'datetime' : 'string';
  return {
    id,
    key: id,
    name,
    custom,
    navigable: true,
    searchable: true,
    clauseNames: [id],
    schema: { type },
  };
}

function paged(
  query: URLSearchParams,
  all: readonly unknown[],
  most: number,
  identities = false,
): JiraAnswer {
  const startAt = numberIn(query.get('startAt') ?? 0, 0);
  const maxResults = Math.min(numberIn(query.get('maxResults') ?? most, most), most);
  const values = all.slice(startAt, startAt + maxResults);
  const isLast = startAt + values.length >= all.length;
  return fine({ maxResults, startAt, total: all.length, isLast, values }, values.length, identities);
}
