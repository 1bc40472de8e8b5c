import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  buildSchema,
  type DocumentNode,
  execute,
  GraphQLError,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import type { Instant } from '../../src/model/issue.ts';
import type { LinearEntry, LinearWorld, LinearWorldIssue } from './stand-in-linear-world.ts';

/** The API key that the stand-in takes. */
export const linearKey = 'lin_api_stand-in';

/** The most points that one query can cost (linear.app/developers/rate-limiting). */
const MAX_COMPLEXITY = 10_000;

const schema = buildSchema(readFileSync(new URL('./stand-in-linear.graphql', import.meta.url), 'utf8'));

/** What the stand-in does otherwise than usual; tests change it while Dwell asks. */
export interface LinearManners {
  /** The owner of the key. */
  account: string;
  /** How many of the next requests are over the limit, which is reset after so long (ms). */
  limited: { times: number; resetMs: number };
  /** Answers the next requests with this operation by an error of this type. */
  failing: { operation: string; type: string; status: number; times: number } | null;
  /** Entries of histories that are not shown yet, by issue. */
  readonly late: Map<string, number>;
  /** Issues whose history Linear fails to show, with all that is asked beside it. */
  readonly broken: Set<string>;
}

/** A request as it came. */
interface LinearCall {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly complexity: number;
}

interface PageArguments {
  readonly first?: number;
  readonly after?: string | null;
}

/** Starts Linear's API over a world: the published schema, with pages, limits, errors and private teams. */
export async function startStandInLinear(world: LinearWorld) {
  const manners: LinearManners = {
    account: 'ada',
    limited: { times: 0, resetMs: 0 },
    failing: null,
    late: new Map(),
    broken: new Set(),
  };
  const calls: LinearCall[] = [];
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    response.sendDate = false;
    response.setHeader('Date', new Date(world.clock()).toUTCString());
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const send = (status: number, answer: unknown) => {
      response.statusCode = status;
      response.end(JSON.stringify(answer));
    };
    if (request.headers.authorization !== linearKey)
      return send(401, failure('Authentication required, not authenticated', 'authentication error'));
    const { query, variables = {} } = JSON.parse(body);
    const document = parse(query);
    const operation = nameOf(document);
    const problems = validate(schema, document);
    if (problems.length > 0) return send(400, { errors: problems });
    const complexity = Math.ceil(complexityOf(document, variables));
    calls.push({ operation, variables, complexity });
    if (manners.limited.times > 0) {
      manners.limited.times -= 1;
      response.setHeader('X-RateLimit-Requests-Remaining', '0');
      response.setHeader('X-RateLimit-Requests-Reset', String(world.clock() + manners.limited.resetMs));
      return send(400, failure('Rate limit exceeded', 'ratelimited', 'RATELIMITED'));
    }
    if (complexity > MAX_COMPLEXITY) return send(400, failure('Query too complex', 'invalid input'));
    if (manners.failing?.operation === operation && manners.failing.times > 0) {
      manners.failing.times -= 1;
      const { status, type } = manners.failing;
      return send(status, failure(`This fails: ${type} for ${linearKey}`, type));
    }
    const answer = await execute({
      schema,
      document,
      rootValue: root(world, manners),
      variableValues: variables,
    });
    send(answer.errors === undefined ? 200 : 400, answer);
  }

  return {
    ...{ manners, calls, url: `http://127.0.0.1:${port}/graphql` },
    callsOf: (operation: string) => calls.filter((call) => call.operation === operation),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function failure(message: string, type: string, code?: string) {
  return { errors: [{ message, extensions: { type, ...(code === undefined ? {} : { code }) } }] };
}

function nameOf({ definitions: [first] }: DocumentNode): string {
  return first?.kind === Kind.OPERATION_DEFINITION ? (first.name?.value ?? '') : '';
}

/** A scalar costs a tenth of a point, an object one, and a connection its nodes times its size, 50 unless it is said. */
function complexityOf({ definitions: [first] }: DocumentNode, variables: LinearCall['variables']): number {
  if (first?.kind !== Kind.OPERATION_DEFINITION) return 0;
  const defaults = (first.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
  );
  return pointsOf(first.selectionSet, 'Query', { ...Object.fromEntries(defaults), ...variables });
}

function pointsOf(
  selections: SelectionSetNode,
  typeName: string,
  variables: LinearCall['variables'],
): number {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) return 0;
  return selections.selections.reduce((sum, one) => {
    if (one.kind !== Kind.FIELD) return sum;
    if (one.selectionSet === undefined) return sum + 0.1;
    const inner = getNamedType(type.getFields()[one.name.value]?.type)?.name ?? '';
    const size = one.arguments?.find(({ name }) => name.value === 'first')?.value;
    const isConnection = inner.endsWith('Connection');
    const asked =
      size?.kind === Kind.VARIABLE ? variables[size.name.value] : size?.kind === Kind.INT && size.value;
    const times = isConnection ? Number(asked || 50) : 1;
    return sum + times * (Number(!isConnection) + pointsOf(one.selectionSet, inner, variables));
  }, 0);
}

/** A page of nodes; a cursor is the id of the node before it. */
function pageOf<Node extends { readonly id: string }>(
  nodes: readonly Node[],
  { first = 50, after }: PageArguments,
) {
  const before = after ? nodes.findIndex(({ id }) => id === after) : -1;
  if (after && before < 0)
    throw new GraphQLError('The cursor is not valid', { extensions: { type: 'invalid input' } });
  const page = nodes.slice(before + 1, before + 1 + first);
  return {
    nodes: page,
    pageInfo: {
      ...{ hasNextPage: before + 1 + first < nodes.length, hasPreviousPage: before >= 0 },
      ...{ startCursor: page[0]?.id ?? null, endCursor: page.at(-1)?.id ?? null },
    },
  };
}

interface IssueArguments extends PageArguments {
  readonly filter?: {
    readonly id?: { readonly in?: readonly string[] };
    readonly createdAt?: { readonly gte?: string };
    readonly updatedAt?: { readonly gte?: string };
  };
  readonly includeArchived?: boolean;
  readonly sort?: readonly {
    readonly createdAt?: { order: string };
    readonly updatedAt?: { order: string };
  }[];
}

const iso = (at: Instant | null) => (at === null ? null : new Date(at).toISOString());

/** What the key's account can see of the world, as the schema shows it. */
function root(world: LinearWorld, manners: LinearManners) {
  const account = world.people.find(({ name }) => name === manners.account);
  const isOpen = ({ id, visibility }: LinearWorld['teams'][number]) =>
    account?.teams.has(id) === true || (visibility === 'public' && account?.guest === false);
  const open = world.teams.filter(isOpen);
  const ofOpen = (team: string) => open.some(({ id }) => id === team);
  const visible = () => world.issues.filter(({ team }) => ofOpen(team));
  const byId = <Node extends { readonly id: string }>(list: readonly Node[], id: string | null) =>
    list.find((one) => one.id === id) ?? null;

  const teamOf = (team: LinearWorld['teams'][number] | null) =>
    team && {
      ...team,
      issueCount: () => visible().filter((one) => one.team === team.id && !one.trashed).length,
    };
  const userOf = (person: LinearWorld['people'][number] | null) =>
    person && {
      ...{ id: person.id, name: person.name, displayName: person.name, email: `${person.name}@example.com` },
      ...{ timezone: 'UTC', active: person.active, admin: person.name === 'ada', guest: person.guest },
      canAccessAnyPublicTeam: !person.guest,
      teamMemberships: (page: PageArguments) =>
        pageOf(
          [...person.teams].map((id) => ({ id: `member-${id}`, team: () => teamOf(byId(world.teams, id)) })),
          page,
        ),
    };
  const stateOf = (state: LinearWorld['states'][number] | null) =>
    state && { ...state, position: 1, archivedAt: null, team: () => teamOf(byId(world.teams, state.team)) };
  const entryOf = ({ id, at, by, from, to }: LinearEntry) => {
    const [before, after] = [from.labels ?? [], to.labels ?? []];
    return {
      ...{ id, createdAt: iso(at), actorId: by },
      ...{ fromStateId: from.state, toStateId: to.state, fromCycleId: from.cycle, toCycleId: to.cycle },
      ...{
        fromAssigneeId: from.assignee,
        toAssigneeId: to.assignee,
        fromTitle: from.title,
        toTitle: to.title,
      },
      ...{ fromParentId: from.parent, toParentId: to.parent },
      ...{ fromPriority: from.priority, toPriority: to.priority },
      ...{ fromEstimate: from.estimate, toEstimate: to.estimate },
      ...{ fromDueDate: from.dueDate, toDueDate: to.dueDate },
      addedLabelIds: to.labels && after.filter((label) => !before.includes(label)),
      removedLabelIds: to.labels && before.filter((label) => !after.includes(label)),
    };
  };
  const issueOf = (issue: LinearWorldIssue | null): object | null => {
    if (issue === null) return null;
    const type = byId(world.states, issue.state)?.type;
    const reached = (wanted: string) =>
      type === wanted
        ? (issue.history.findLast(({ to }) => to.state === issue.state)?.at ?? issue.created)
        : null;
    return {
      ...{ id: issue.id, identifier: issue.identifier, title: issue.title, labelIds: issue.labels },
      ...{ createdAt: iso(issue.created), updatedAt: iso(issue.updated), trashed: issue.trashed || null },
      ...{ archivedAt: issue.archived ? iso(issue.updated) : null, completedAt: iso(reached('completed')) },
      ...{ canceledAt: iso(reached('canceled')), dueDate: issue.dueDate, priority: issue.priority },
      ...{ estimate: issue.estimate, url: `https://linear.app/acme/issue/${issue.identifier}/a-title` },
      team: () => teamOf(byId(world.teams, issue.team)),
      state: () => stateOf(byId(world.states, issue.state)),
      assignee: () => userOf(byId(world.people, issue.assignee)),
      creator: () => userOf(byId(world.people, issue.creator)),
      cycle: () => cycleOf(byId(world.cycles, issue.cycle)),
      parent: () => issueOf(byId(world.issues, issue.parent)),
      history(page: PageArguments) {
        if (manners.broken.has(issue.identifier))
          throw new GraphQLError('Something broke', { extensions: { type: 'internal error' } });
        const shown = issue.history.slice(
          0,
          issue.history.length - (manners.late.get(issue.identifier) ?? 0),
        );
        return pageOf(shown.toReversed().map(entryOf), page);
      },
    };
  };
  const cycleOf = (cycle: LinearWorld['cycles'][number] | null) =>
    cycle && {
      ...{ id: cycle.id, name: cycle.name, number: cycle.number, startsAt: iso(cycle.starts) },
      ...{ endsAt: iso(cycle.ends), completedAt: iso(cycle.completed) },
      team: () => teamOf(byId(world.teams, cycle.team)),
    };

  return {
    organization: world.organization,
    viewer: () => userOf(account ?? null),
    issuePriorityValues: ['No priority', 'Urgent', 'High', 'Medium', 'Low'].map((label, priority) => ({
      ...{ label, priority },
    })),
    issue({ id }: { readonly id: string }) {
      const found = byId(visible(), id);
      if (found === null)
        throw new GraphQLError('Entity not found: Issue', { extensions: { type: 'invalid input' } });
      return issueOf(found);
    },
    issues({ filter = {}, sort, includeArchived = false, ...page }: IssueArguments) {
      const by = sort?.[0]?.updatedAt === undefined ? 'created' : 'updated';
      const isIn = (at: Instant, { gte }: { readonly gte?: string } = {}) =>
        gte === undefined || at >= Date.parse(gte);
      const found = visible()
        .filter(({ archived }) => includeArchived || !archived)
        .filter(({ id }) => filter.id?.in?.includes(id) ?? true)
        .filter(({ created, updated }) => isIn(created, filter.createdAt) && isIn(updated, filter.updatedAt))
        .sort((a, b) => a[by] - b[by] || (a.id < b.id ? -1 : 1));
      // Without a sort the newest come first.
      const { nodes, pageInfo } = pageOf(sort === undefined ? found.toReversed() : found, page);
      return { nodes: nodes.map(issueOf), pageInfo };
    },
    users({
      filter,
      includeDisabled = false,
      ...page
    }: PageArguments & {
      readonly filter?: { readonly id?: { readonly eq?: string } };
      readonly includeDisabled?: boolean;
    }) {
      const wanted = filter?.id?.eq;
      const found = world.people
        .filter(({ active }) => active || includeDisabled)
        .filter(({ id }) => wanted === undefined || id === wanted);
      const { nodes, pageInfo } = pageOf(found, page);
      return { nodes: nodes.map(userOf), pageInfo };
    },
    teams(page: PageArguments) {
      const { nodes, pageInfo } = pageOf(open, page);
      return { nodes: nodes.map(teamOf), pageInfo };
    },
    workflowStates(page: PageArguments) {
      const { nodes, pageInfo } = pageOf(
        world.states.filter(({ team }) => ofOpen(team)),
        page,
      );
      return { nodes: nodes.map(stateOf), pageInfo };
    },
    issueLabels: (page: PageArguments) => pageOf(world.labels, page),
    cycles(page: PageArguments) {
      const { nodes, pageInfo } = pageOf(
        world.cycles.filter(({ team }) => ofOpen(team)),
        page,
      );
      return { nodes: nodes.map(cycleOf), pageInfo };
    },
  };
}
