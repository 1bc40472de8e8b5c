import type { FieldValue, Instant, Issue } from '../../src/model/issue.ts';
import type { MultiVisitBehavior } from '../../src/model/request.ts';
import type { Cell, CurrentValue } from '../../src/model/table.ts';
import { beginOf, type HistoryVisit, lastOpen, visitsTo } from './history.ts';
import { addedUp, distinctColumns, type Entry } from './ledger.ts';
import { piecesByPeriod } from './pieces.ts';
import {
  type Arranged,
  columnAbout,
  currentIn,
  type Define,
  type DefinedColumn,
  type DefinedQuestion,
  factsOf,
  nameIn,
  reversed,
  statusLevels,
  visitsIn,
  within,
  workIn,
} from './question.ts';

/** Working time in each status, and in each consolidated status the sum of its members'. */
export const statusDuration: Define = (issue, question) => {
  const visits = visitsIn(issue, 'status', question);
  const figures = distinctValues(visits).flatMap((status) => {
    const own = visitsTo(visits, status.id);
    const value = figureOf(own, visits, question.request.multiVisitBehavior, question);
    return statusLevels(issue, status, question).map((level) => ({
      column: columnAbout(level, 'duration'),
      value,
      visits: own.length,
    }));
  });
  const columns = distinctColumns(figures.map(({ column }) => column));
  const cells = columns.flatMap(({ id }): [string, Cell][] => {
    const own = figures.filter(({ column }) => column.id === id);
    const amounts = own.flatMap(({ value }) => value ?? []);
    // What the figure of one member is unknown of, that of the whole is.
    if (amounts.length < own.length) return [];
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    return [[id, { value: sum(amounts), visits: sum(own.map((one) => one.visits)) }]];
  });
  return {
    ...factsOf(issue, ['status'], question),
    ...{ columns, lines: [Object.fromEntries(cells)], current: currentStatus(issue, visits, question) },
  };
};

/** One figure for several visits of one status (ms); null where unknown time could hide the visit meant, or a part of it. */
function figureOf(
  own: readonly HistoryVisit[],
  all: readonly HistoryVisit[],
  behavior: MultiVisitBehavior,
  question: DefinedQuestion,
): number | null {
  const total = own.reduce((sum, visit) => sum + workIn(visit, question), 0);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined || behavior === 'total') return total;
  const isAllKnown = (visits: readonly HistoryVisit[]) => visits.every(({ isKnown }) => isKnown);
  switch (behavior) {
    case 'average':
      return isAllKnown(all) ? total / own.length : null;
    case 'first': {
      // The one after it has to be known too, for unknown time may be a part of this visit.
      const upToNext = all.slice(0, all.indexOf(first) + 2);
      return isAllKnown(upToNext) ? workIn(first, question) : null;
    }
    case 'last':
      return isAllKnown(all.slice(all.indexOf(last))) && !last.beganEarlier ? workIn(last, question) : null;
  }
}

/** The number of entries into each status; being created in it, and being in it when a window starts, enters it. */
export const statusCount: Define = (issue, question) => {
  const visits = visitsIn(issue, 'status', question);
  const entries = visits.flatMap((visit) =>
    (visit.value === null ? [] : statusLevels(issue, visit.value, question)).map(
      (level): Entry => ({ column: columnAbout(level, 'count'), amount: 1, of: visit }),
    ),
  );
  const { columns, cells } = addedUp(entries);
  return {
    ...factsOf(issue, ['status'], question),
    ...{ columns, lines: [cells], current: currentStatus(issue, visits, question) },
  };
};

/** The number of steps from one status to another; those into unknown time, and out of it, are not counted. */
export const transitionCount: Define = (issue, question) => {
  const visits = visitsIn(issue, 'status', question);
  const levelOf = (status: FieldValue) => ({
    id: status.id,
    title: nameIn(issue, 'status', status, question),
    status,
  });
  const entries = visits.slice(1).flatMap((visit, i): Entry[] => {
    const [from, to] = [visits[i]?.value ?? null, visit.value];
    if (from === null || to === null) return [];
    const column: DefinedColumn = {
      id: `${from.id}:${to.id}`,
      kind: 'count',
      levels: [levelOf(from), levelOf(to)],
      divider: ' → ',
    };
    return [{ column, amount: 1, of: visit }];
  });
  const { columns, cells } = addedUp(entries);
  return { ...factsOf(issue, ['status'], question), columns, lines: [cells] };
};

/** A status was entered or left at an instant, null where that is unknown, between the visits before and after an index. */
interface StatusEvent {
  readonly status: FieldValue;
  readonly at: Instant | null;
  readonly before: number;
}

type EventsOf = (visits: readonly HistoryVisit[]) => readonly StatusEvent[];

/** Every known visit enters its status. */
const entries: EventsOf = (visits) =>
  visits.flatMap((visit, i) =>
    visit.value === null ? [] : [{ status: visit.value, at: beginOf(visit), before: i }],
  );

/**
 * Every visit that another follows leaves its status, at an unknown instant where unknown time follows. The change with
 * which known time begins again leaves the status that it says it came from.
 */
const exits: EventsOf = (visits) =>
  visits.slice(1).flatMap((next, i): StatusEvent[] => {
    const status = visits[i]?.value ?? next.cameFrom;
    return status === null ? [] : [{ status, at: next.isKnown ? next.start : null, before: i + 1 }];
  });

export const firstTransitionToStatusDate = dates(entries, 'first');
export const lastTransitionToStatusDate = dates(entries, 'last');
export const firstTransitionFromStatusDate = dates(exits, 'first');
export const lastTransitionFromStatusDate = dates(exits, 'last');

/** The instant of the first or last event of each status; unknown where unknown time could hide one before or after it. */
function dates(eventsOf: EventsOf, which: 'first' | 'last'): Define {
  return (issue, question) => {
    const visits = visitsIn(issue, 'status', question);
    const events = which === 'first' ? eventsOf(visits) : eventsOf(visits).toReversed();
    const dated = events.flatMap(({ status, at, before }) => {
      const hiding = which === 'first' ? visits.slice(0, before) : visits.slice(before);
      const instant = hiding.every(({ isKnown }) => isKnown) ? at : null;
      return statusLevels(issue, status, question).map((level) => ({
        column: columnAbout(level, 'instant'),
        instant,
      }));
    });
    const columns = distinctColumns(dated.map(({ column }) => column));
    const cells = columns.flatMap(({ id }): [string, Cell][] => {
      const first = dated.find(({ column }) => column.id === id);
      return first?.instant == null ? [] : [[id, { value: first.instant }]];
    });
    return { ...factsOf(issue, ['status'], question), columns, lines: [Object.fromEntries(cells)] };
  };
}

/** Working time in each status by day, week, month, quarter or year; a visit counts once in each that it reaches into. */
export const statusDurationByTimePeriod: Define = (issue, question) =>
  byStatusAndPeriod(issue, question, within);

/** The same, periods first. */
export const timePeriodDurationByStatus: Define = (issue, question) =>
  byStatusAndPeriod(issue, question, reversed);

function byStatusAndPeriod(issue: Issue, question: DefinedQuestion, arranged: Arranged) {
  const { request, timeZone } = question;
  const visits = visitsIn(issue, 'status', question);
  const entriesOf = (visit: HistoryVisit): readonly Entry[] => {
    const statuses = visit.value === null ? [] : statusLevels(issue, visit.value, question);
    return [...piecesByPeriod(visit, request.timePeriod, timeZone)].flatMap(([id, days]) =>
      statuses.flatMap((status) =>
        days.map((day) => ({
          column: arranged(status, { id, title: id }),
          amount: workIn(day, question),
          of: visit,
        })),
      ),
    );
  };
  const { columns, cells } = addedUp(visits.flatMap(entriesOf));
  const open = lastOpen(visits);
  const openColumns = open === null ? [] : distinctColumns(entriesOf(open).map(({ column }) => column));
  const lastPeriod = openColumns
    .at(-1)
    ?.levels.find(({ status, isConsolidated }) => !status && !isConsolidated);
  const current = openColumns.filter(({ levels }) => levels.some(({ id }) => id === lastPeriod?.id));
  return {
    ...factsOf(issue, ['status'], question),
    ...{ columns, lines: [cells] },
    // Of the periods of the open visit the issue is in the last one.
    current: open === null ? [] : current.map((column) => currentIn(column, beginOf(open))),
  };
}

/** Working time of the visit an issue is in; none where no one knows when it began. */
export const currentStateAge: Define = (issue, question) => {
  const visits = visitsIn(issue, 'status', question);
  const column = columnAbout({ id: 'age', title: 'Age' }, 'duration');
  const open = lastOpen(visits);
  return {
    ...factsOf(issue, ['status'], question),
    columns: [column],
    lines: [open === null || open.beganEarlier ? {} : { age: { value: workIn(open, question), visits: 1 } }],
    current: open === null ? [] : [currentIn(column, beginOf(open))],
  };
};

/** The columns of the status an issue is in. */
function currentStatus(
  issue: Issue,
  visits: readonly HistoryVisit[],
  question: DefinedQuestion,
): readonly CurrentValue[] {
  const open = lastOpen(visits);
  if (open === null || open.value === null) return [];
  return statusLevels(issue, open.value, question).map((level) =>
    currentIn(columnAbout(level, 'duration'), beginOf(open)),
  );
}

/** The values of some visits, each once, in order; unknown time and "empty" are none. */
function distinctValues(visits: readonly HistoryVisit[]): readonly FieldValue[] {
  const values = visits.flatMap(({ value }) => value ?? []);
  return values.filter((value, i) => values.findIndex(({ id }) => id === value.id) === i);
}
