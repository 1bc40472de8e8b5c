import type { Instant } from '../../src/model/issue.ts';

/** A workflow state of a team; `type` is Linear's own word. */
interface LinearState {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly team: string;
}

/** A person; `teams` are the ids of those the person is in. */
export interface LinearPerson {
  readonly id: string;
  readonly name: string;
  readonly guest: boolean;
  active: boolean;
  readonly teams: Set<string>;
}

/** What can be set of an issue, each by its id where it has one; null: nothing. */
export interface LinearContent {
  readonly title: string;
  readonly state: string;
  readonly assignee: string | null;
  readonly cycle: string | null;
  readonly parent: string | null;
  readonly priority: number;
  readonly estimate: number | null;
  readonly dueDate: string | null;
  readonly labels: readonly string[];
}

/** An entry of a history: what was set before and after, of that alone which changed. */
export interface LinearEntry {
  readonly id: string;
  readonly at: Instant;
  readonly by: string | null;
  readonly from: Partial<LinearContent>;
  readonly to: Partial<LinearContent>;
}

/** An issue of the world. */
export interface LinearWorldIssue extends LinearContent {
  readonly id: string;
  readonly identifier: string;
  readonly team: string;
  readonly creator: string;
  readonly created: Instant;
  updated: Instant;
  archived: boolean;
  trashed: boolean;
  readonly history: readonly LinearEntry[];
}

const flow = [
  ['Triage', 'triage'],
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['In Review', 'started'],
  ['Done', 'completed'],
  ['Canceled', 'canceled'],
  ['Duplicate', 'duplicate'],
] as const;

/** The world of a workspace of Linear, which tests change while Dwell reads it. */
export type LinearWorld = ReturnType<typeof createLinearWorld>;

/**
 * Creates a workspace: ENG and OPS are public teams, SEC a private one. Ada is in all of them and owns the API key, bob is in
 * ENG, carl in none, gus is a guest in OPS.
 */
export function createLinearWorld(clock: () => Instant) {
  let ids = 0;
  const newId = (kind: string) => {
    ids += 1;
    return `${kind}-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
  const team = (key: string, name: string, visibility: 'public' | 'private') => ({
    ...{ id: newId('7ea30000'), key, name, visibility },
  });
  const teams = [
    team('ENG', 'Engineering', 'public'),
    team('OPS', 'Operations', 'public'),
    team('SEC', 'Security', 'private'),
  ];
  const teamId = (key: string) => teams.find((one) => one.key === key)?.id ?? '';
  const states: LinearState[] = teams.flatMap(({ id }) =>
    flow.map(([name, type]) => ({ id: newId('57a7e000'), name, type, team: id })),
  );
  const person = (name: string, own: readonly string[], guest = false): LinearPerson => ({
    ...{ id: newId('05e70000'), name, guest, active: true, teams: new Set(own.map(teamId)) },
  });
  const people = [
    person('ada', ['ENG', 'OPS', 'SEC']),
    person('bob', ['ENG']),
    person('carl', []),
    person('gus', ['OPS'], true),
  ];
  const labels = ['bug', 'needs design'].map((name) => ({ id: newId('1abe1000'), name }));
  const start = clock();
  const week = 7 * 86_400_000;
  const cycles = [1, 2].map((number) => ({
    ...{ id: newId('c7c1e000'), number, team: teamId('ENG'), name: null },
    ...{ starts: start - (3 - number) * week, ends: start - (2 - number) * week },
    completed: number === 1 ? start - week : null,
  }));
  const issues: LinearWorldIssue[] = [];
  const numbers = new Map<string, number>();

  function replace(issue: LinearWorldIssue): LinearWorldIssue {
    issues.splice(
      issues.findIndex(({ id }) => id === issue.id),
      1,
      issue,
    );
    return issue;
  }

  const world = {
    ...{ teams, states, people, labels, cycles, issues, clock },
    organization: { id: newId('04900000'), name: 'Acme', urlKey: 'acme' },
    /** By name. */
    person: (name: string) => people.find((one) => one.name === name)?.id ?? '',
    label: (name: string) => labels.find((one) => one.name === name)?.id ?? '',
    cycle: (number: number) => cycles.find((one) => one.number === number)?.id ?? '',
    state: (key: string, name: string) =>
      states.find((one) => one.name === name && one.team === teamId(key))?.id ?? '',
    issue: (identifier: string): LinearWorldIssue => {
      const found = issues.find((one) => one.identifier === identifier);
      if (found === undefined) throw new Error(`There is no ${identifier}.`);
      return found;
    },
    /** Creates an issue, in Todo unless it is said otherwise; returns its identifier. */
    create(key: string, content: Partial<LinearContent> = {}): string {
      const number = (numbers.get(key) ?? 0) + 1;
      numbers.set(key, number);
      const identifier = `${key}-${number}`;
      issues.push({
        ...{ id: newId('15500000'), identifier, team: teamId(key), creator: world.person('ada') },
        ...{ title: `Issue ${number}`, state: world.state(key, 'Todo'), assignee: null, cycle: null },
        ...{ parent: null, priority: 0, estimate: null, dueDate: null, labels: [] },
        ...{ created: clock(), updated: clock(), archived: false, trashed: false, history: [] },
        ...content,
      });
      return identifier;
    },
    /** Sets some of an issue, which its history has from now on. */
    change(identifier: string, to: Partial<LinearContent>, by: string | null = 'ada'): void {
      const issue = world.issue(identifier);
      const from = Object.fromEntries(
        Object.keys(to).map((name) => [name, issue[name as keyof LinearContent]]),
      );
      const entry = {
        id: newId('41570000'),
        at: clock(),
        by: by === null ? null : world.person(by),
        from,
        to,
      };
      replace({ ...issue, ...to, updated: clock(), history: [...issue.history, entry] });
    },
    /** Moves an issue to a state by name. */
    move(identifier: string, state: string, by: string | null = 'ada'): void {
      world.change(identifier, { state: world.state(identifier.split('-')[0] ?? '', state) }, by);
    },
    archive(identifier: string): void {
      Object.assign(world.issue(identifier), { archived: true, updated: clock() });
    },
    trash(identifier: string): void {
      Object.assign(world.issue(identifier), { trashed: true, archived: true, updated: clock() });
    },
  };
  return world;
}
