import type { FieldValue, Issue } from '../../../src/model/issue.ts';
import { splitValue } from '../../../src/model/issues/value-sets.ts';
import { parseJql } from '../../../src/selection/jql/parse-jql.ts';
import type {
  CallOperand,
  Clause,
  Operand,
  SingleOperand,
  TerminalClause,
} from '../../../src/selection/jql/query-tree.ts';
import { type HistoryVisit, wholeVisits } from '../../definitions/history.ts';
import { dayOf, midnightOf, readDate } from './defined-dates.ts';
import { itemsThen, kindOf, type Test, testOf, wantedThen, wordsIn } from './defined-values.ts';
import { changesIn, type DefinedWorld, finishedThen, lostUpTo, UNSURE } from './whole-issue.ts';

/** Whether a query holds for an issue; `unknown` where its history does not show it. */
export type Answer = 'yes' | 'no' | 'unknown';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

/**
 * The definition of JQL's clauses over whole issues, as slow as it likes: it shares nothing with the program but the parser,
 * tries instants one after another, and looks local times up in the text the platform writes for them. It has the fields and
 * functions that random questions are made of, and fails of any other.
 */
export function definedAnswer(jql: string, issue: Issue, world: DefinedWorld): Answer {
  const { where } = parseJql(jql);
  if (issue.created > world.now) return 'no';
  return where === null ? 'yes' : answer(where, issue, world);
}

function answer(clause: Clause, issue: Issue, world: DefinedWorld): Answer {
  switch (clause.kind) {
    case 'and':
      return all(clause.clauses.map((one) => answer(one, issue, world)));
    case 'or':
      return any(clause.clauses.map((one) => answer(one, issue, world)));
    case 'not':
      return negated(answer(clause.clause, issue, world));
    default:
      return terminal(clause, issue, world);
  }
}

function all(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}

function any(answers: readonly Answer[]): Answer {
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

function negated(one: Answer): Answer {
  return one === 'unknown' ? one : one === 'yes' ? 'no' : 'yes';
}

function terminal(clause: TerminalClause, issue: Issue, world: DefinedWorld): Answer {
  const name = clause.field.text.toLowerCase();
  if (name === 'text') {
    const texts = ['summary', 'description', 'environment'];
    return any(texts.map((text) => terminal({ ...clause, field: { ...clause.field, text } }, issue, world)));
  }
  const { operator } = clause;
  switch (operator) {
    case '=':
    case 'in':
    case 'is':
      return equals(clause, issue, world);
    case '!=':
    case 'not in':
    case 'is not':
      return negated(equals(clause, issue, world, true));
    case '!~':
      return negated(contains(clause, issue, world, true));
    case '~':
      return contains(clause, issue, world);
    case 'was':
    case 'was in':
      return was(clause, issue, world);
    case 'was not':
    case 'was not in':
      return negated(was(clause, issue, world));
    case 'changed':
      return changed(clause, issue, world);
    default:
      return holds(clause, issue, world, [testOf(clause.field.text, operator, only(clause), world)]);
  }
}

function only({ operand }: TerminalClause): SingleOperand {
  const [value] = operand?.values ?? [];
  if (value === undefined) throw new Error('There is no value.');
  return value;
}

/** With `orEmpty`, empty fields count as well. */
function equals(clause: TerminalClause, issue: Issue, world: DefinedWorld, orEmpty = false): Answer {
  const values = clause.operand?.values ?? [];
  const calls = values.filter((one) => one.kind === 'call' && isFunction(one, 'updatedBy'));
  const others = values.filter((one) => !calls.includes(one));
  const tests = others.flatMap((one): readonly Test[] => {
    if (one.kind === 'empty') return [];
    if (one.kind === 'call' && isFunction(one, 'linkedIssues')) return [linkedTo(one, world)];
    return [testOf(clause.field.text, '=', one, world)];
  });
  const isEmpty = orEmpty || others.some(({ kind }) => kind === 'empty');
  return any([
    holds(clause, issue, world, tests, isEmpty),
    ...calls.map((call) => updatedBy(call as CallOperand, issue, world)),
  ]);
}

function contains(clause: TerminalClause, issue: Issue, world: DefinedWorld, orEmpty = false): Answer {
  const value = only(clause);
  if (value.kind !== 'value') throw new Error('Only texts are searched for.');
  return holds(clause, issue, world, [wordsIn(value.text)], orEmpty);
}

/** Whether one of the values that the field held then passes one of the tests. */
function holds(
  { field }: TerminalClause,
  issue: Issue,
  world: DefinedWorld,
  tests: readonly Test[],
  isEmpty = false,
): Answer {
  if (field.text.toLowerCase() === 'finished') return finished(issue, world, tests, isEmpty);
  const items = itemsThen(issue, field.text, world);
  if (items === UNSURE) return 'unknown';
  if (items.length === 0) return isEmpty ? 'yes' : 'no';
  return items.some((item) => tests.some((test) => test(item))) ? 'yes' : 'no';
}

/** Where it is unsure when an issue was finished, every minute of that time is tried. */
function finished(
  issue: Issue,
  { now, statuses }: DefinedWorld,
  tests: readonly Test[],
  isEmpty: boolean,
): Answer {
  const finish = finishedThen(issue, now, (id) => statuses.get(id)?.category ?? 'Undefined');
  if (finish === null) return isEmpty ? 'yes' : 'no';
  if (typeof finish === 'number') return tests.some((test) => test(finish)) ? 'yes' : 'no';
  if (isEmpty && finish.mayBeEmpty) return 'unknown';
  const { from, until } = finish;
  const tries = Array.from({ length: Math.ceil((until - from) / MINUTE) + 1 }, (_, i) => from + i * MINUTE);
  return [...tries.filter((at) => at < until), until].some((at) => tests.some((test) => test(at)))
    ? 'unknown'
    : 'no';
}

function isFunction({ called }: CallOperand, name: string): boolean {
  return called.text.toLowerCase() === name.toLowerCase();
}

/** A link of an issue reads like "blocks WEB-1". */
function linkedTo({ args: [key, words] }: CallOperand, { issues }: DefinedWorld): Test {
  const own = issues.find((issue) => issue.key === key?.text)?.fields.issuelinks;
  const texts = (Array.isArray(own) ? own : []).map(({ id }: FieldValue) => id.split(' '));
  const keys = texts
    .filter((text) => words === undefined || text.slice(0, -1).join(' ') === words.text)
    .map((text) => text.at(-1));
  return (item) => keys.includes(String(item));
}

function updatedBy({ args }: CallOperand, issue: Issue, world: DefinedWorld): Answer {
  const { now, timeZone } = world;
  const [user, first, last] = args.map(({ text }) => text);
  const isWithin = (at: number) => {
    const day = dayOf(at, timeZone);
    return at <= now && (first === undefined || day >= first) && (last === undefined || day <= last);
  };
  const { changes, created } = issue;
  const creator = issue.fields.creator;
  const isCreator = creator !== null && typeof creator === 'object' && 'id' in creator && creator.id === user;
  if (isCreator && isWithin(created)) return 'yes';
  if (changes.some(({ at, by }) => by === user && isWithin(Math.max(at, created)))) return 'yes';
  const lost = lostUpTo(issue, now);
  if (lost === null) return 'no';
  const edges = [first, last].flatMap((day) =>
    day === undefined ? [] : [midnightOf(day, 0, timeZone), midnightOf(day, 1, timeZone)],
  );
  const tries = [...lost, ...edges].flatMap((at) => [at - 1, at]);
  return tries.some((at) => at >= lost[0] && at < lost[1] && isWithin(at)) ? 'unknown' : 'no';
}

/** The time and the people that the predicates of a clause name. */
interface Bounds {
  readonly isAt: (at: number) => boolean;
  /** Instants at which that may change. */
  readonly edges: readonly number[];
  readonly by: readonly (readonly string[])[];
  readonly from: readonly Operand[];
  readonly to: readonly Operand[];
}

function boundsOf({ predicates }: TerminalClause, world: DefinedWorld): Bounds {
  const { timeZone } = world;
  const datesOf = ({ values }: Operand) => values.map((one) => readDate(one, world));
  const times = predicates.flatMap(({ operator, operand }) =>
    operator === 'by' || operator === 'from' || operator === 'to'
      ? []
      : [{ operator, dates: datesOf(operand) }],
  );
  const operands = (wanted: string) =>
    predicates.flatMap(({ operator, operand }) => (operator === wanted ? [operand] : []));
  return {
    isAt: (at) =>
      times.every(({ operator, dates: [one, other = one] }) => {
        if (one === undefined || other === undefined) return true;
        if (operator === 'before') return at < one.at;
        if (operator === 'after') return at > one.at;
        if (operator === 'during') return at >= one.at && at <= other.at;
        if (one.timed) return at >= one.at && at < one.at + MINUTE;
        return dayOf(at, timeZone) === dayOf(one.at, timeZone);
      }),
    edges: times.flatMap(({ dates }) => dates.flatMap(({ at }) => [at, at + MINUTE])),
    by: operands('by').map(({ values }) => values.map((one) => (one.kind === 'value' ? one.text : ''))),
    from: operands('from'),
    to: operands('to'),
  };
}

/** A value was there for a while: of a set, each of its values by itself. */
interface Span {
  /** Undefined: nothing is known of the time. */
  readonly item: FieldValue | null | undefined;
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
  /** What came before it is lost. */
  readonly afterLost: boolean;
}

function membersOf(value: FieldValue | null, isSet: boolean): readonly (FieldValue | null)[] {
  return value === null || !isSet ? [value] : splitValue(value);
}

function spansOf(visits: readonly HistoryVisit[], isSet: boolean): readonly Span[] {
  const memberOf = (visit: HistoryVisit | undefined, id: string | null) =>
    visit?.isKnown ? membersOf(visit.value, isSet).find((one) => (one?.id ?? null) === id) : undefined;
  return visits.flatMap(({ value, isKnown, start, end }, i): readonly Span[] => {
    const afterLost = visits[i - 1]?.isKnown === false;
    const isLast = i === visits.length - 1;
    if (!isKnown) return [{ item: undefined, start, end, isLast, afterLost }];
    return membersOf(value, isSet).flatMap((item) => {
      const id = item?.id ?? null;
      if (!isSet) return [{ item, start, end, isLast, afterLost }];
      if (memberOf(visits[i - 1], id) !== undefined) return [];
      let last = i;
      while (memberOf(visits[last + 1], id) !== undefined) last += 1;
      const until = visits[last]?.end ?? end;
      return [{ item, start, end: until, isLast: last === visits.length - 1, afterLost }];
    });
  });
}

function was(clause: TerminalClause, issue: Issue, world: DefinedWorld): Answer {
  const { operand, field } = clause;
  const { id, isSet } = kindOf(field.text);
  const { now } = world;
  const { by, isAt, edges } = boundsOf(clause, world);
  const isWanted = wantedThen(field.text, operand?.values ?? [], world);
  const changes = changesIn(issue, id);
  const spans = spansOf(wholeVisits(issue, id, now), isSet);
  const holdsIt = (end: FieldValue | null, item: FieldValue | null) =>
    membersOf(end, isSet).find((one) => one?.id === item?.id);
  const happened = (at: number) => Math.max(at, issue.created);
  const tries = [...spans.flatMap(({ start, end }) => [start, end]), ...edges]
    .flatMap((at) => [at - 1, at, at + 1])
    .concat(quarters(issue.created, now))
    .filter(isAt);
  const answers = spans.map(({ item, start, end, isLast, afterLost }): Answer => {
    const isThere = tries.some((at) => at >= start && (at < end || at === start || (isLast && at === end)));
    if (!isThere) return 'no';
    if (item === undefined) return 'unknown';
    const taken = changes.flatMap(({ at, from }) =>
      happened(at) === end ? (holdsIt(from, item) ?? []) : [],
    );
    if (![item, ...taken].some(isWanted)) {
      // The change that brought it is lost, and may have called it by any of its names.
      const names = afterLost && item !== null ? formerNames(item.id, id, isSet, world) : [];
      return names.some((name) => isWanted({ id: item?.id ?? '', name })) ? 'unknown' : 'no';
    }
    const openers = changes.filter(
      ({ at, from, to }) =>
        happened(at) === start &&
        holdsIt(to, item) !== undefined &&
        !(isSet && holdsIt(from, item) !== undefined),
    );
    if (by.length === 0 || openers.some((one) => by.every((users) => users.includes(one.by ?? ''))))
      return 'yes';
    return openers.length === 0 && afterLost ? 'unknown' : 'no';
  });
  const isShown =
    by.length === 0 && now >= issue.updated && spans.some((one) => one.item === undefined && one.isLast);
  const today = isShown && isAt(now) ? itemsThen(issue, field.text, world) : UNSURE;
  if (today !== UNSURE && (today.length === 0 ? [null] : today).some(isWanted)) return 'yes';
  return any(answers);
}

function formerNames(id: string, field: string, isSet: boolean, { issues }: DefinedWorld): readonly string[] {
  return issues
    .flatMap((issue) => changesIn(issue, field))
    .flatMap(({ from, to }) => [...membersOf(from, isSet), ...membersOf(to, isSet)])
    .flatMap((value) => (value?.id === id ? [value.name] : []));
}

function changed(clause: TerminalClause, issue: Issue, world: DefinedWorld): Answer {
  const { text } = clause.field;
  const { id, isSet } = kindOf(text);
  const { now } = world;
  const { by, from, to, isAt, edges } = boundsOf(clause, world);
  const passes = (operands: readonly Operand[], own: FieldValue | null, other: FieldValue | null) => {
    const others = membersOf(other, isSet).map((one) => one?.id);
    const moved = membersOf(own, isSet).filter((one) => !isSet || !others.includes(one?.id));
    // All predicates have to hold of one and the same value.
    return (
      operands.length === 0 ||
      moved.some((one) => operands.every(({ values }) => wantedThen(text, values, world)(one)))
    );
  };
  const isMet = changesIn(issue, id).some(
    (one) =>
      one.at <= now &&
      isAt(Math.max(one.at, issue.created)) &&
      by.every((users) => users.includes(one.by ?? '')) &&
      passes(from, one.from, one.to) &&
      passes(to, one.to, one.from),
  );
  if (isMet) return 'yes';
  const lost = lostUpTo(issue, now);
  if (lost === null) return 'no';
  const tries = [...lost, ...edges].flatMap((at) => [at - 1, at, at + 1]).concat(quarters(lost[0], now));
  return tries.some((at) => at >= lost[0] && at < lost[1] && isAt(at)) ? 'unknown' : 'no';
}

function quarters(from: number, until: number): number[] {
  const first = Math.ceil(from / QUARTER) * QUARTER;
  return Array.from(
    { length: Math.max(0, Math.floor((until - first) / QUARTER) + 1) },
    (_, i) => first + i * QUARTER,
  );
}
