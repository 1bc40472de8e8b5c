import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Priority, Sprint } from '../../model/directory.ts';
import { AppError } from '../../model/error.ts';
import type { FieldValue, Instant, Status, User } from '../../model/issue.ts';
import type { TrackerEntry } from '../tracker.ts';
import type { LinearClient, LinearQuestion } from './linear-client.ts';
import { categories, connectionOf, instant, PAGE_INFO } from './linear-schema.ts';

/** The ids of fields as issues have them; `sprint` is what JQL and sprint reports read. */
export const [CYCLE, ESTIMATE] = ['sprint', 'estimate'];

/** The most that Linear gives on a page. A page costs as if it were full, and teams are few and read often. */
const PAGE = 250;
const TEAMS = 50;

/** The age (ms) up to which names are used. */
const NAMES_MS = 10 * millisecondsInMinute;

/** A team, which is a project in Dwell's nouns. */
export interface LinearTeam extends FieldValue {
  readonly key: string;
  /** `public`: for every member of the workspace; anything else is for those in the team. */
  readonly visibility: string;
  readonly issueCount: number;
}

/** A workflow state; `type` is Linear's own. */
interface LinearState extends Status {
  readonly type: string;
}

/** Everything that issues mention by id alone. */
export interface LinearNames {
  readonly states: ReadonlyMap<string, LinearState>;
  readonly users: ReadonlyMap<string, User>;
  readonly teams: ReadonlyMap<string, LinearTeam>;
  readonly labels: ReadonlyMap<string, FieldValue>;
  readonly cycles: ReadonlyMap<string, Sprint>;
  /** Linear's number of the priority, from 1 (urgent) on; 0 is none. */
  readonly priorities: ReadonlyMap<string, Priority>;
}

/** Reads a list to its end. `fields` are those of a node, `more` other arguments of the list, `size` that of a page. */
async function readList<Node extends z.ZodType>(
  client: Pick<LinearClient, 'ask'>,
  list: {
    readonly name: string;
    readonly more?: string;
    readonly fields: string;
    readonly node: Node;
    readonly size?: number;
  },
  isPriority = false,
): Promise<z.output<Node>[]> {
  const { name, more = '', fields, node, size = PAGE } = list;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `query ${title}($after: String) {
    ${name}(first: ${size}, after: $after, includeArchived: true${more}) { nodes { ${fields} } ${PAGE_INFO} }
  }`;
  const shape = z.object({ [name]: connectionOf(node) });
  const nodes: z.output<Node>[] = [];
  for (let after: string | null = null; ; ) {
    const question: LinearQuestion = { query, variables: { after }, isPriority };
    const page = (await client.ask(question, shape)).data[name];
    nodes.push(...(page?.nodes ?? []));
    if (page?.pageInfo.hasNextPage !== true) return nodes;
    after = page.pageInfo.endCursor;
  }
}

/** Reads the teams that the account of the key can see. */
export function readTeams(client: Pick<LinearClient, 'ask'>, isPriority = false): Promise<LinearTeam[]> {
  return readList(
    client,
    {
      name: 'teams',
      size: TEAMS,
      fields: 'id key name visibility issueCount(includeArchived: true)',
      node: z.object({
        id: z.string(),
        key: z.string(),
        name: z.string(),
        visibility: z.string(),
        issueCount: z.number(),
      }),
    },
    isPriority,
  );
}

/** The readers of lists, by the names under which a refusal is shown. */
const readers = {
  statuses: (client: LinearClient): Promise<LinearState[]> =>
    readList(client, {
      name: 'workflowStates',
      fields: 'id name type archivedAt team { key }',
      node: z
        .object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          archivedAt: z.string().nullable(),
          team: z.object({ key: z.string() }),
        })
        .transform(({ id, name, type, archivedAt, team }) => ({
          id,
          name,
          type,
          category: categories[type] ?? ('Undefined' as const),
          deleted: archivedAt !== null,
          scope: team.key,
        })),
    }),
  people: (client: LinearClient): Promise<User[]> =>
    readList(client, {
      name: 'users',
      more: ', includeDisabled: true',
      fields: 'id name displayName email timezone',
      node: z
        .object({
          id: z.string(),
          name: z.string(),
          displayName: z.string(),
          email: z.string(),
          timezone: z.string().nullable(),
        })
        .transform(({ id, name, displayName, email, timezone }) => ({
          id,
          name,
          login: displayName,
          email,
          ...(timezone === null ? {} : { timeZone: timezone }),
        })),
    }),
  projects: (client: LinearClient): Promise<LinearTeam[]> => readTeams(client),
  labels: (client: LinearClient): Promise<FieldValue[]> =>
    readList(client, {
      name: 'issueLabels',
      fields: 'id name',
      node: z.object({ id: z.string(), name: z.string() }),
    }),
  sprints: (client: LinearClient, now: Instant): Promise<Sprint[]> =>
    readList(client, {
      name: 'cycles',
      fields: 'id name number startsAt endsAt completedAt team { id key }',
      node: z
        .object({
          id: z.string(),
          name: z.string().nullable(),
          number: z.number(),
          startsAt: instant,
          endsAt: instant,
          completedAt: instant.nullable(),
          team: z.object({ id: z.string(), key: z.string() }),
        })
        .transform(({ id, name, number, startsAt, endsAt, completedAt, team }) => ({
          // Cycles without a name are called alike in every team.
          id,
          name: name ?? `${team.key} Cycle ${number}`,
          board: team.id,
          state: stateOf(startsAt, completedAt, now),
          start: startsAt,
          end: endsAt,
          completed: completedAt,
        })),
    }),
  async priorities(client: LinearClient): Promise<Priority[]> {
    const shape = z.object({
      issuePriorityValues: z.array(z.object({ priority: z.number(), label: z.string() })),
    });
    const query = 'query Priorities { issuePriorityValues { priority label } }';
    const { data } = await client.ask({ query }, shape);
    return data.issuePriorityValues
      .filter(({ priority }) => priority > 0)
      .sort((a, b) => a.priority - b.priority)
      .map(({ priority, label }, place) => ({ id: String(priority), name: label, place }));
  },
};

function stateOf(startsAt: Instant, completedAt: Instant | null, now: Instant): Sprint['state'] {
  if (completedAt !== null) return 'closed';
  return startsAt > now ? 'future' : 'active';
}

/** Yields what the lists hold in Dwell's nouns. A list that is refused is named, and the others follow. */
export async function* readLists(client: LinearClient, now: Instant): AsyncGenerator<TrackerEntry> {
  const asEntries: Record<string, () => Promise<TrackerEntry[]>> = {
    async statuses() {
      const statuses = (await readers.statuses(client)).map(({ type: _, ...status }) => status);
      return [{ kind: 'statuses', statuses, list: 'workflow states' }];
    },
    people: async () => [{ kind: 'users', users: await readers.people(client) }],
    sprints: async () => [{ kind: 'directory', part: { sprints: await readers.sprints(client, now) } }],
    priorities: async () => [{ kind: 'directory', part: { priorities: await readers.priorities(client) } }],
  };
  yield {
    kind: 'directory',
    part: {
      fields: [
        { id: CYCLE, name: 'Sprint' },
        { id: ESTIMATE, name: 'Estimate' },
      ],
    },
  };
  for (const [source, read] of Object.entries(asEntries)) {
    try {
      yield* await read();
    } catch (error) {
      if (!isRefused(error)) throw error;
      yield { kind: 'unreadable', source, reason: error.message };
    }
  }
}

function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && ['refused-by-tracker', 'request-refused'].includes(error.reason);
}

/**
 * Returns names for issues that were read at an instant. `nameless` finds the ids they mention that have no name: then the
 * lists are read again, unless that was done since, or did not help before.
 */
export type NamesFor = (
  readAt: Instant,
  nameless: (names: LinearNames) => Iterable<string>,
) => Promise<LinearNames>;

/** Keeps the names of everything that issues mention. */
export function createLinearNames(client: LinearClient, now: () => Instant): NamesFor {
  let known: { readonly names: LinearNames; readonly at: Instant } | null = null;
  /** Ids of what is gone, such as deleted labels. */
  const gone = new Set<string>();
  const read = async () => {
    const at = now();
    known = { names: await readNames(client, at), at };
    return known;
  };
  return async (readAt, nameless) => {
    const age = now() - (known?.at ?? Number.NEGATIVE_INFINITY);
    const { names, at } = known !== null && age >= 0 && age < NAMES_MS ? known : await read();
    if (at >= readAt || [...nameless(names)].every((id) => gone.has(id))) return names;
    const { names: newer } = await read();
    for (const id of nameless(newer)) gone.add(id);
    return newer;
  };
}

async function readNames(client: LinearClient, now: Instant): Promise<LinearNames> {
  const named = async <Named extends FieldValue>(reading: Promise<Named[]>) =>
    new Map((await reading).map((one) => [one.id, one]));
  /** Lists that the account may not read give no names: ids are shown, and the lists say why. */
  const unlessForbidden = async <Named extends FieldValue>(reading: Promise<Named[]>) =>
    named(
      reading.catch((error: unknown) => {
        if (error instanceof AppError && error.reason === 'refused-by-tracker') return [];
        throw error;
      }),
    );
  const [states, users, teams, labels, cycles, priorities] = await Promise.all([
    named(readers.statuses(client)),
    named(readers.people(client)),
    named(readers.projects(client)),
    unlessForbidden(readers.labels(client)),
    unlessForbidden(readers.sprints(client, now)),
    unlessForbidden(readers.priorities(client)),
  ]);
  return { states, users, teams, labels, cycles, priorities };
}
