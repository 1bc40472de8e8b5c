import { millisecondsInDay } from 'date-fns/constants';
import { type CaseIssue, caseWorld } from './case-world.ts';
import { instantAt } from './stand-in-timepiece-visits.ts';

/** What is wrong with a request, as the service words it. */
export class StandInRefusal extends Error {
  readonly status: number;
  /** Members beside those of every failure. */
  readonly more: Readonly<Record<string, string>>;

  constructor(status: number, message: string, more: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

type Holds = (issue: CaseIssue) => boolean;

/**
 * The issues for which a query holds, newest first unless it says otherwise: comparisons of a few fields with AND, OR, NOT
 * and parentheses. A key that is no issue's is refused, as Jira does, unless `lenient`.
 */
export function queryIssues(jql: string, lenient: boolean): CaseIssue[] {
  const [where = '', order] = jql.split(/\border\s+by\b/i);
  const tokens = where.match(/"[^"]*"|'[^']*'|>=|<=|!=|[=<>(),]|[^\s=<>!(),"']+/g) ?? [];
  const holds = tokens.length === 0 ? () => true : readOr(tokens, lenient);
  if (tokens.length > 0) throw refused(jql);
  return sorted(caseWorld.issues.filter(holds), order);
}

/** When an issue was last changed. */
export function updatedAt({ created, steps }: CaseIssue): number {
  return Date.parse(steps.at(-1)?.at ?? created);
}

/** The value of a field as it is now. */
export function valueNow(issue: CaseIssue, field: 'status' | 'assignee' | 'priority'): string | null {
  let value: string | null = issue.born[field];
  for (const step of issue.steps) value = step[field] === undefined ? value : (step[field] ?? null);
  return value;
}

function readOr(tokens: string[], lenient: boolean): Holds {
  const any = [readAnd(tokens, lenient)];
  while (/^or$/i.test(tokens[0] ?? '')) {
    tokens.shift();
    any.push(readAnd(tokens, lenient));
  }
  return (issue) => any.some((holds) => holds(issue));
}

function readAnd(tokens: string[], lenient: boolean): Holds {
  const all = [readClause(tokens, lenient)];
  while (/^and$/i.test(tokens[0] ?? '')) {
    tokens.shift();
    all.push(readClause(tokens, lenient));
  }
  return (issue) => all.every((holds) => holds(issue));
}

function readClause(tokens: string[], lenient: boolean): Holds {
  const name = (tokens.shift() ?? '').replaceAll('"', '').toLowerCase();
  if (name === 'not') {
    const holds = readClause(tokens, lenient);
    return (issue) => !holds(issue);
  }
  if (name === '(') {
    const holds = readOr(tokens, lenient);
    if (tokens.shift() !== ')') throw refused(name);
    return holds;
  }
  const operator = (tokens.shift() ?? '').toLowerCase();
  const values: string[] = [];
  if (operator === 'in') {
    if (tokens.shift() !== '(') throw refused(name);
    for (;;) {
      values.push(plain(tokens.shift(), name));
      const next = tokens.shift();
      if (next === ')') break;
      if (next !== ',') throw refused(name);
    }
  } else values.push(plain(tokens.shift(), name));
  return compare(name, operator, values, lenient);
}

function compare(name: string, operator: string, values: readonly string[], lenient: boolean): Holds {
  if (['created', 'updated', 'resolved', 'resolutiondate', 'statuscategorychangeddate'].includes(name)) {
    const bound = readDate(values[0] ?? '');
    return (issue) => {
      const at = dateOf(issue, name);
      if (at === null) return false;
      if (operator === '>=') return at >= bound;
      if (operator === '>') return at > bound;
      if (operator === '<') return at < bound;
      if (operator === '<=') return at <= bound;
      throw refused(name);
    };
  }
  if (!['=', '!=', 'in'].includes(operator)) throw refused(name);
  const wanted = values.map((value) => value.toLowerCase());
  const isKey = ['key', 'issuekey', 'issue'].includes(name);
  for (const key of isKey && !lenient ? values : []) {
    if (!caseWorld.issues.some((issue) => issue.key === key.toUpperCase()))
      throw new StandInRefusal(400, `An issue with key '${key}' does not exist for field 'key'.`);
  }
  const known = (issue: CaseIssue): readonly (string | undefined)[] => {
    if (isKey) return [issue.key];
    const status = caseWorld.statuses.find(({ id }) => id === valueNow(issue, 'status'));
    const assignee = caseWorld.users.find(({ id }) => id === valueNow(issue, 'assignee'));
    switch (name) {
      case 'project':
        return [issue.project];
      case 'status':
        return [status?.id, status?.name];
      case 'statuscategory':
        return [status?.category];
      case 'assignee':
        return [assignee?.id, assignee?.name];
      case 'sprint':
        return [issue.sprint ?? undefined];
      default:
        throw new StandInRefusal(
          400,
          `Field '${name}' does not exist or you do not have permission to view it.`,
        );
    }
  };
  return (issue) =>
    known(issue).some((value) => value !== undefined && wanted.includes(value.toLowerCase())) !==
    (operator === '!=');
}

/** `-30d` from now, or a date on the clocks of the principal. */
function readDate(text: string): number {
  const [, days] = /^-(\d+)d$/.exec(text) ?? [];
  if (days !== undefined) return Date.parse(caseWorld.now) - Number(days) * millisecondsInDay;
  const wall = Date.parse(
    `${text.replaceAll('/', '-').replace(' ', 'T')}${text.includes(':') ? ':00Z' : 'T00:00:00Z'}`,
  );
  if (Number.isNaN(wall)) throw refused(text);
  return instantAt(wall, caseWorld.timeZone);
}

function dateOf(issue: CaseIssue, name: string): number | null {
  if (name === 'created') return Date.parse(issue.created);
  if (name === 'updated') return updatedAt(issue);
  if (name === 'statuscategorychangeddate') return categoryChangedAt(issue);
  return issue.resolved === null ? null : Date.parse(issue.resolved);
}

/** When the category of its status last became another one. */
function categoryChangedAt({ born, created, steps }: CaseIssue): number {
  const categoryOf = (id: string) => caseWorld.statuses.find((one) => one.id === id)?.category;
  let [category, since] = [categoryOf(born.status), created];
  for (const { at, status } of steps) {
    if (status === undefined || categoryOf(status) === category) continue;
    [category, since] = [categoryOf(status), at];
  }
  return Date.parse(since);
}

function sorted(issues: CaseIssue[], order = 'created DESC'): CaseIssue[] {
  const [, field = 'created', direction = 'ASC'] = /^\s*(\w+)(?:\s+(asc|desc))?/i.exec(order) ?? [];
  const by = field.toLowerCase();
  const rank = (issue: CaseIssue) => (by === 'key' ? issue.key : (dateOf(issue, by) ?? 0));
  issues.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  return direction.toLowerCase() === 'desc' ? issues.reverse() : issues;
}

function plain(token: string | undefined, near: string): string {
  if (token === undefined || /^([=<>(),]|>=|<=|!=)$/.test(token)) throw refused(near);
  return token.replace(/^["']|["']$/g, '');
}

function refused(near: string): StandInRefusal {
  return new StandInRefusal(400, `Error in the JQL Query: near '${near}'.`);
}
