import type { FieldContent, Issue } from '../../../src/model/issue.ts';
import type { Verdict } from '../../../src/selection/jql/jql.ts';
import type { World } from './a-world.ts';
import type { DateAsked, PredicateAsked, Question } from './question.ts';

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;

/** What a field is called in a query, and where its content lies. */
const placeOf: Readonly<Record<string, string>> = {
  status: 'status',
  assignee: 'assignee',
  priority: 'priority',
  labels: 'labels',
  due: 'duedate',
  '"Story Points"': 'customfield_10016',
  fixVersion: 'fixVersions',
  timeSpent: 'timespent',
};

/** Fields whose history is of sets, written as ids and names with commas between them. */
const sets: readonly string[] = ['fixVersions'];

/** Fields of seconds, asked for in hours and minutes. */
const durations: readonly string[] = ['timespent'];

/**
 * Answers a question by walking its tree, as slowly as it likes: instants are tried one after another, local times are
 * looked up in the text the platform writes for them.
 */
export function answerNaively(question: Question, issue: Issue, world: World): Verdict {
  if (issue.created > world.now) return 'no';
  return answer(question, issue, world);
}

function answer(question: Question, issue: Issue, world: World): Verdict {
  switch (question.kind) {
    case 'and': {
      const answers = question.questions.map((one) => answer(one, issue, world));
      if (answers.includes('no')) return 'no';
      return answers.includes('unknown') ? 'unknown' : 'yes';
    }
    case 'or': {
      const answers = question.questions.map((one) => answer(one, issue, world));
      if (answers.includes('yes')) return 'yes';
      return answers.includes('unknown') ? 'unknown' : 'no';
    }
    case 'not':
      return negate(answer(question.question, issue, world));
    case 'was': {
      const isSet = sets.includes(placeOf[question.field] ?? question.field);
      const had = isSet ? everHeld(question, issue, world) : everHad(question, issue, world);
      return question.negated ? negate(had) : had;
    }
    case 'changed':
      return everChanged(question, issue, world);
    case 'updatedBy': {
      const updated = everUpdated(question, issue, world);
      return question.negated ? negate(updated) : updated;
    }
    default:
      return answerNow(question, issue, world);
  }
}

function negate(one: Verdict): Verdict {
  if (one === 'unknown') return 'unknown';
  return one === 'yes' ? 'no' : 'yes';
}

type Now = Exclude<Question, { kind: 'and' | 'or' | 'not' | 'was' | 'changed' | 'updatedBy' }>;

function answerNow(question: Now, issue: Issue, world: World): Verdict {
  const field = fieldOf(question);
  if (field !== null && isUnknownNow(issue, field, world)) return 'unknown';
  if (question.kind === 'instant' && question.field === 'updated' && mayLackTheLast(issue, world.now))
    return 'unknown';
  const items = field === null ? [] : itemsOf(world.contentOf(issue, field));
  return holdsNow(question, items, issue, world) ? 'yes' : 'no';
}

/** A change may be lost after the last known one. */
function mayLackTheLast({ history, created, updated, changes }: Issue, now: number): boolean {
  if (history.complete || updated <= now) return false;
  const last = Math.max(created, ...changes.map(({ at }) => at).filter((at) => at <= now));
  const from = history.unknownFrom ?? created;
  const until = history.unknownUntil ?? Number.POSITIVE_INFINITY;
  return [last + 1, from, now].some((at) => at > last && at <= now && at >= from && at < until);
}

function fieldOf(question: Now): string | null {
  switch (question.kind) {
    case 'equal':
    case 'empty':
      return placeOf[question.field] ?? question.field;
    case 'number':
      return 'customfield_10016';
    case 'duration':
      return 'timespent';
    case 'priority':
      return 'priority';
    case 'due':
      return 'duedate';
    case 'search':
      return 'summary';
    default:
      return null;
  }
}

interface NamedItem {
  readonly id: string;
  readonly name: string;
}

function itemsOf(content: FieldContent | undefined): NamedItem[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string' || typeof content === 'number')
    return [{ id: String(content), name: String(content) }];
  return Array.isArray(content) ? [...content] : 'id' in content ? [content] : [];
}

function isUnknownNow(issue: Issue, field: string, world: World): boolean {
  if (issue.history.complete || world.now >= issue.updated) return false;
  const visits = world.visitsOf(issue, field);
  return visits[visits.length - 1]?.known === false;
}

function holdsNow(question: Now, items: readonly NamedItem[], issue: Issue, world: World): boolean {
  switch (question.kind) {
    case 'equal':
      if (question.negated) return items.length > 0 && !items.some((item) => isCalled(item, question, world));
      return items.length === 0
        ? question.values.includes(null)
        : items.some((item) => isCalled(item, question, world));
    case 'empty':
      return (items.length === 0) !== question.negated;
    case 'duration':
      return items.some(({ id }) => compares(Number(id), question.sign, secondsOf(question.text)));
    case 'number':
      return items.some(({ id }) => compares(Number(id), question.sign, question.bound));
    case 'priority': {
      const ranks = ['Low', 'Medium', 'High'];
      return items.some(({ name }) =>
        compares(ranks.indexOf(name), question.sign, ranks.indexOf(question.name)),
      );
    }
    case 'due': {
      const day = localText(instantAsked(question.date, world), world.timeZone).slice(0, 10);
      return items.some(({ id }) => compares(Date.parse(id), question.sign, Date.parse(day)));
    }
    case 'instant': {
      const told = issue[question.field];
      const changes = issue.changes.map(({ at }) => at).filter((at) => at <= world.now);
      const at = told <= world.now ? told : Math.max(issue.created, ...changes);
      const asked = instantAsked(question.date, world);
      if (question.sign === '=') return minuteOf(at) === minuteOf(asked);
      return question.sign === '!=' ? minuteOf(at) !== minuteOf(asked) : compares(at, question.sign, asked);
    }
    case 'search': {
      const text = items
        .map(({ name }) => name)
        .join(' ')
        .toLowerCase()
        .split(' ');
      const all = question.words.every((word) =>
        word.endsWith('*')
          ? text.some((one) => one.startsWith(word.slice(0, -1).toLowerCase()))
          : text.includes(word.toLowerCase()),
      );
      return items.length > 0 && all !== question.negated;
    }
  }
}

interface CallAsked {
  readonly field: string;
  readonly values: readonly (string | null)[];
}

/** By its id or what it is called today; a word that nothing is called today stands for what was once called so. */
function isCalled({ id, name }: NamedItem, { field, values }: CallAsked, world: World): boolean {
  const today = [...world.statuses.values()];
  const own = field === 'status' ? (world.statuses.get(id)?.name ?? name) : name;
  return values.some((value) => {
    if (value === null) return false;
    if (durations.includes(placeOf[field] ?? field)) return secondsOf(value) === Number(id);
    if (isSame(value, id) || isSame(value, own)) return true;
    const isFormer = field === 'status' && !today.some((one) => isSame(value, one.name));
    return isFormer && formerNames(id, field, world).some((one) => isSame(value, one));
  });
}

/** By its id, what it is called today, or what the changes that brought and took it call it. */
function wasCalled(
  items: readonly (NamedItem | null)[],
  field: string,
  values: readonly (string | null)[],
  world: World,
): boolean {
  return items.some((item) => {
    if (item === null) return values.includes(null);
    if (durations.includes(field))
      return values.some((value) => value !== null && secondsOf(value) === Number(item.id));
    const today = field === 'status' ? [world.statuses.get(item.id)?.name ?? ''] : [];
    return values.some(
      (value) => value !== null && [item.id, item.name, ...today].some((text) => isSame(text, value)),
    );
  });
}

function formerNames(id: string, field: string, world: World): string[] {
  return world.issues
    .flatMap(({ changes }) => changes)
    .filter((change) => change.field === field)
    .flatMap(({ from, to }) => [from, to])
    .flatMap((value) => (value?.id === id ? [value.name] : []));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function compares(a: number, sign: string, b: number): boolean {
  if (sign === '<') return a < b;
  if (sign === '<=') return a <= b;
  if (sign === '>') return a > b;
  if (sign === '>=') return a >= b;
  return sign === '=' ? a === b : a !== b;
}

function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}

/** Tries every instant at which anything could begin or end. */
function everHad(question: Extract<Question, { kind: 'was' }>, issue: Issue, world: World): Verdict {
  const field = placeOf[question.field] ?? question.field;
  const visits = world.visitsOf(issue, field);
  const instants = instantsToTry(question.predicates, visits, issue, world);
  const by = question.predicates.flatMap((one) => (one.predicate === 'by' ? [one.users] : []));
  let result: Verdict = 'no';
  for (const [i, visit] of visits.entries()) {
    const last = i === visits.length - 1;
    const there = instants.some(
      (at) =>
        at >= visit.start &&
        (at < visit.end || at === visit.start || (last && at === visit.end)) &&
        question.predicates.every((one) => isAt(one, at, world)),
    );
    if (there && !visit.known) result = result === 'yes' ? 'yes' : 'unknown';
    const takers = issue.changes.filter(
      ({ field: changed, at, from }) =>
        changed === field && Math.max(at, issue.created) === visit.end && from?.id === visit.value?.id,
    );
    const told = [visit.value, ...takers.map(({ from }) => from)];
    const isWanted = visit.known && wasCalled(told, field, question.values, world);
    // What brought it is lost, and may have called it by any of its names.
    const { value } = visit;
    const mayBe =
      visit.known &&
      value !== null &&
      visits[i - 1]?.known === false &&
      formerNames(value.id, field, world).some((name) =>
        wasCalled([{ ...value, name }], field, question.values, world),
      );
    if (there && !isWanted && mayBe && result === 'no') result = 'unknown';
    if (there && isWanted) {
      const openers = issue.changes.filter(
        (change) =>
          change.field === field &&
          Math.max(change.at, issue.created) === visit.start &&
          change.to?.id === visit.value?.id,
      );
      const own =
        by.length === 0 ||
        openers.some((change) => by.every((users) => change.by !== null && users.includes(change.by)));
      if (own) result = 'yes';
      else if (openers.length === 0 && visits[i - 1]?.known === false && result === 'no') result = 'unknown';
    }
  }
  const now = itemsOf(world.contentOf(issue, field))[0] ?? null;
  const shown = by.length === 0 && world.now >= issue.updated && visits[visits.length - 1]?.known === false;
  if (
    shown &&
    question.predicates.every((one) => isAt(one, world.now, world)) &&
    wasCalled([now], field, question.values, world)
  )
    return 'yes';
  return result;
}

function everChanged(question: Extract<Question, { kind: 'changed' }>, issue: Issue, world: World): Verdict {
  const field = placeOf[question.field] ?? question.field;
  const happened = issue.changes.some(
    (change) =>
      change.field === field &&
      change.at <= world.now &&
      question.predicates.every((one) => {
        if (one.predicate === 'by') return change.by !== null && one.users.includes(change.by);
        if (one.predicate === 'from')
          return wasCalled(leftBehind(change.from, change.to, field), field, one.values, world);
        if (one.predicate === 'to')
          return wasCalled(leftBehind(change.to, change.from, field), field, one.values, world);
        return isAt(one, Math.max(change.at, issue.created), world);
      }),
  );
  if (happened) return 'yes';
  const { history } = issue;
  if (history.complete) return 'no';
  const from = Math.max(history.unknownFrom ?? issue.created, issue.created);
  const dates = question.predicates.flatMap((one) =>
    'date' in one
      ? [instantAsked(one.date, world)]
      : 'dates' in one
        ? one.dates.map((date) => instantAsked(date, world))
        : [],
  );
  const lost = [from, world.now, history.unknownUntil ?? from, ...dates]
    .flatMap((at) => [at - 1, at, at + 1])
    .concat(quarters(from, world.now))
    .filter(
      (at) => at >= from && at <= world.now && (history.unknownUntil === null || at < history.unknownUntil),
    );
  return lost.some((at) => question.predicates.every((one) => isAt(one, at, world))) ? 'unknown' : 'no';
}

/** Instants at which something may begin or end, those beside them, and every quarter of an hour. */
function instantsToTry(
  predicates: readonly PredicateAsked[],
  visits: ReturnType<World['visitsOf']>,
  issue: Issue,
  world: World,
): number[] {
  const dates = predicates.flatMap((one) =>
    'date' in one
      ? [instantAsked(one.date, world)]
      : 'dates' in one
        ? one.dates.map((date) => instantAsked(date, world))
        : [],
  );
  return [...visits.flatMap(({ start, end }) => [start, end]), ...dates]
    .flatMap((at) => [at - 1, at, at + 1])
    .concat(quarters(issue.created, world.now));
}

/** What is in one end of a change and not in the other; of single values, the end itself. */
function leftBehind(
  one: NamedItem | null,
  other: NamedItem | null,
  field: string,
): readonly (NamedItem | null)[] {
  if (one === null || !sets.includes(field)) return [one];
  const others = other === null ? [] : membersOf(other).map(({ id }) => id);
  return membersOf(one).filter(({ id }) => !others.includes(id));
}

function membersOf({ id, name }: NamedItem): NamedItem[] {
  const names = name.split(', ');
  return id.split(', ').map((one, i) => ({ id: one, name: names[i] ?? '' }));
}

/** The same of a set: who has put a value into it counts for as long as it stays there. */
function everHeld(question: Extract<Question, { kind: 'was' }>, issue: Issue, world: World): Verdict {
  const field = placeOf[question.field] ?? question.field;
  const visits = world.visitsOf(issue, field);
  const by = question.predicates.flatMap((one) => (one.predicate === 'by' ? [one.users] : []));
  const instants = instantsToTry(question.predicates, visits, issue, world);
  const holds = (value: NamedItem | null, id: string | null) =>
    value === null ? id === null : membersOf(value).some((one) => one.id === id);
  let result: Verdict = 'no';
  for (const [i, visit] of visits.entries()) {
    const last = i === visits.length - 1;
    const isThere = instants.some(
      (at) =>
        at >= visit.start &&
        (at < visit.end || at === visit.start || (last && at === visit.end)) &&
        question.predicates.every((one) => isAt(one, at, world)),
    );
    if (!isThere) continue;
    if (!visit.known) {
      if (result === 'no') result = 'unknown';
      continue;
    }
    for (const item of visit.value === null ? [null] : membersOf(visit.value)) {
      if (!wasCalled([item], field, question.values, world)) continue;
      if (by.length === 0) return 'yes';
      const id = item?.id ?? null;
      let first = i;
      while (visits[first - 1]?.known === true && holds(visits[first - 1]?.value ?? null, id)) first -= 1;
      const openers = issue.changes.filter(
        ({ field: changed, at, from, to }) =>
          changed === field &&
          Math.max(at, issue.created) === visits[first]?.start &&
          holds(to, id) &&
          !holds(from, id),
      );
      if (openers.some((change) => by.every((users) => change.by !== null && users.includes(change.by))))
        return 'yes';
      if (openers.length === 0 && visits[first - 1]?.known === false && result === 'no') result = 'unknown';
    }
  }
  const items = itemsOf(world.contentOf(issue, field));
  const isShown = by.length === 0 && world.now >= issue.updated && visits[visits.length - 1]?.known === false;
  return isShown &&
    question.predicates.every((one) => isAt(one, world.now, world)) &&
    wasCalled(items.length === 0 ? [null] : items, field, question.values, world)
    ? 'yes'
    : result;
}

/** A change that a cut history lacks may be theirs. */
function everUpdated(
  question: Extract<Question, { kind: 'updatedBy' }>,
  issue: Issue,
  world: World,
): Verdict {
  const { span, user } = question;
  const isWithin = (at: number) => {
    const day = localText(at, world.timeZone).slice(0, 10);
    return at <= world.now && (span === null || (day >= span[0] && day <= span[1]));
  };
  const { history, changes, created } = issue;
  if (changes.some(({ at, by }) => by === user && isWithin(Math.max(at, created)))) return 'yes';
  if (history.complete) return 'no';
  const from = Math.max(history.unknownFrom ?? created, created);
  const until = history.unknownUntil ?? Number.POSITIVE_INFINITY;
  const edges = (span ?? []).flatMap((day) => [
    instantOfText(`${day} 00:00`, world.timeZone),
    instantOfText(`${addDays(day, 1)} 00:00`, world.timeZone),
  ]);
  return [from, world.now, until, ...edges]
    .flatMap((at) => [at - 1, at])
    .some((at) => at >= from && at < until && isWithin(at))
    ? 'unknown'
    : 'no';
}

const secondsIn: Readonly<Record<string, number>> = { w: 5 * 8 * 3600, d: 8 * 3600, h: 3600, m: 60 };

/** Jira's working days have eight hours, its weeks five days; a bare number is of minutes. */
function secondsOf(text: string): number {
  const parts = text.replaceAll('"', '').split(' ');
  return parts.reduce((sum, part) => {
    const unit = secondsIn[part.slice(-1)];
    return sum + (unit === undefined ? Number(part) * 60 : Number(part.slice(0, -1)) * unit);
  }, 0);
}

function* everyQuarter(from: number, until: number): Generator<number> {
  for (let at = Math.ceil(from / QUARTER) * QUARTER; at <= until; at += QUARTER) yield at;
}

function quarters(from: number, until: number): number[] {
  return [...everyQuarter(from, until)];
}

/** Whether an instant is one that a predicate of time speaks of; the other predicates do not mind. */
function isAt(asked: PredicateAsked, at: number, world: World): boolean {
  switch (asked.predicate) {
    case 'before':
      return at < instantAsked(asked.date, world);
    case 'after':
      return at > instantAsked(asked.date, world);
    case 'on': {
      const day = instantAsked(asked.date, world);
      if (asked.date.date === 'text' && asked.date.text.includes(':')) return at >= day && at < day + 60_000;
      return localText(at, world.timeZone).slice(0, 10) === localText(day, world.timeZone).slice(0, 10);
    }
    case 'during':
      return at >= instantAsked(asked.dates[0], world) && at <= instantAsked(asked.dates[1], world);
    default:
      return true;
  }
}

function instantAsked(asked: DateAsked, { now, timeZone }: World): number {
  switch (asked.date) {
    case 'now':
      return now;
    case 'hours':
      return now + asked.hours * HOUR;
    case 'text':
      return instantOfText(asked.text.includes(':') ? asked.text : `${asked.text} 00:00`, timeZone);
    case 'edge': {
      const today = localText(now, timeZone).slice(0, 10);
      const weekday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7;
      const length = asked.period === 'Week' ? 7 : 1;
      const start = addDays(today, (asked.period === 'Week' ? -weekday : 0) + asked.offset * length);
      const day = asked.edge === 'start' ? start : addDays(start, length);
      return instantOfText(`${day} 00:00`, timeZone) - (asked.edge === 'start' ? 0 : 1);
    }
  }
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10);
}

/** Looks for the instant at which the local clock shows a text; one that it skips is a day after the day before. */
function instantOfText(text: string, timeZone: string): number {
  const around = Date.parse(`${text.replace(' ', 'T')}Z`);
  for (let at = around - 15 * HOUR; at <= around + 15 * HOUR; at += QUARTER) {
    if (localText(at, timeZone) === text) return at;
  }
  return instantOfText(`${addDays(text.slice(0, 10), -1)}${text.slice(10)}`, timeZone) + 24 * HOUR;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-03-29 14:30`, as the clock on the wall shows it. */
function localText(at: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(at);
}
