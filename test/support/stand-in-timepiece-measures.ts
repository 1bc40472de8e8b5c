import { millisecondsInDay } from 'date-fns/constants';
import { type CaseIssue, caseWorld } from './case-world.ts';
import {
  midnightBefore,
  type StandInVisit,
  type StandInWindow,
  type VisitedField,
  visitsIn,
  workingMs,
} from './stand-in-timepiece-visits.ts';

/** Everything a figure depends on besides the issue. */
export interface StandInQuestion {
  readonly columnsBy: string;
  readonly window: StandInWindow;
  readonly calendar: typeof caseWorld.calendar | null;
  readonly statuses: readonly string[] | null;
  readonly includeDeleted: boolean;
  readonly multiVisit: string;
  readonly historyFields: readonly string[];
  readonly groups: readonly string[] | null;
  readonly timePeriod: string;
  readonly metrics: readonly StandInMetric[];
}

/** A clock between statuses. */
export interface StandInMetric {
  readonly name: string;
  readonly from: readonly string[];
  readonly fromVisit: 'first' | 'last';
  readonly to: readonly string[];
  readonly toVisit: 'first' | 'last';
  readonly paused: readonly string[];
}

/** What an issue has in one value column: ms, a count, or an instant. */
export interface StandInFigure {
  readonly id: string;
  readonly title: string;
  /** The column is about these statuses. */
  readonly statuses: readonly string[];
  value: number;
  visits: number;
  /** The issue is there now. */
  current: boolean;
}

/** The report types, in lower case, and whether they tell ms, counts or instants. */
export const standInKinds: Readonly<Record<string, 'ms' | 'count' | 'instant'>> = {
  statusduration: 'ms',
  assigneeduration: 'ms',
  statusdurationbyassignee: 'ms',
  assigneedurationbystatus: 'ms',
  groupduration: 'ms',
  durationbetweenstatuses: 'ms',
  statusdurationbytimeperiod: 'ms',
  timeperioddurationbystatus: 'ms',
  anyfieldduration: 'ms',
  statuscount: 'count',
  transitioncount: 'count',
  firsttransitiontostatusdate: 'instant',
  lasttransitiontostatusdate: 'instant',
  firsttransitionfromstatusdate: 'instant',
  lasttransitionfromstatusdate: 'instant',
};

/** The figures of an issue in a report, one per column it has met. */
export function measuresOf(issue: CaseIssue, question: StandInQuestion): StandInFigure[] {
  const figures: StandInFigure[] = [];
  const figureOf = (id: string, title: string, statuses: readonly string[] = []): StandInFigure => {
    let figure = figures.find((one) => one.id === id);
    if (figure === undefined) {
      figure = { id, title, statuses, value: 0, visits: 0, current: false };
      figures.push(figure);
    }
    return figure;
  };
  const add = (figure: StandInFigure, { start, end, open }: Pick<StandInVisit, 'start' | 'end' | 'open'>) => {
    figure.value += workingMs(start, end, question.calendar);
    figure.visits += 1;
    if (open) figure.current = true;
  };
  const visits = visitsIn(issue, 'status', question.window);
  const of = ({ value }: StandInVisit) => figureOf(value ?? '', nameOf('status', value), [value ?? '']);
  switch (question.columnsBy) {
    case 'statusduration': {
      for (const visit of visits) add(of(visit), visit);
      for (const figure of figures) {
        const own = visits.filter(({ value }) => value === figure.id);
        const wanted = question.multiVisit === 'first' ? own[0] : own.at(-1);
        if (question.multiVisit === 'average') figure.value /= own.length;
        else if (question.multiVisit !== 'total' && wanted !== undefined)
          figure.value = workingMs(wanted.start, wanted.end, question.calendar);
      }
      break;
    }
    case 'statuscount':
      for (const visit of visits) {
        const figure = of(visit);
        figure.value += 1;
        figure.visits += 1;
        figure.current = visit.open;
      }
      break;
    case 'transitioncount':
      for (let i = 1; i < visits.length; i += 1) {
        const [from, to] = [visits[i - 1]?.value ?? '', visits[i]?.value ?? ''];
        const title = `${nameOf('status', from)} → ${nameOf('status', to)}`;
        const figure = figureOf(`${from}:${to}`, title, [from, to]);
        figure.value += 1;
        figure.visits += 1;
      }
      break;
    case 'anyfieldduration':
      for (const field of question.historyFields) {
        if (field !== 'status' && field !== 'assignee' && field !== 'priority') continue;
        for (const visit of visitsIn(issue, field, question.window)) {
          add(figureOf(visit.value ?? ':empty', nameOf(field, visit.value)), visit);
        }
      }
      break;
    case 'durationbetweenstatuses':
      for (const metric of question.metrics) {
        const ms = between(visits, metric, question);
        if (ms !== null) figureOf(metric.name, metric.name).value = ms;
      }
      break;
    case 'statusdurationbytimeperiod':
    case 'timeperioddurationbystatus':
      for (const visit of visits) {
        for (const piece of piecesByPeriod(visit, question)) {
          const [id, title] = [visit.value ?? '', nameOf('status', visit.value)];
          const column = question.columnsBy.startsWith('status')
            ? figureOf(`${id}|${piece.period}`, `${title}: ${piece.period}`, [id])
            : figureOf(`${piece.period}|${id}`, `${piece.period}: ${title}`, [id]);
          add(column, piece);
        }
      }
      break;
    case 'assigneeduration':
    case 'groupduration':
    case 'statusdurationbyassignee':
    case 'assigneedurationbystatus':
      for (const status of visits) {
        if (!counts(status.value ?? '', question)) continue;
        for (const holder of visitsIn(issue, 'assignee', question.window)) {
          const start = Math.max(status.start, holder.start);
          const end = Math.min(status.end, holder.end);
          if (start >= end) continue;
          const piece = { start, end, open: status.open && holder.open };
          const [user, name] = [holder.value ?? ':unassigned', nameOf('assignee', holder.value)];
          const [id, title] = [status.value ?? '', nameOf('status', status.value)];
          if (question.columnsBy === 'assigneeduration') add(figureOf(user, name), piece);
          else if (question.columnsBy === 'statusdurationbyassignee')
            add(figureOf(`${user}|${id}`, `${name}: ${title}`, [id]), piece);
          else if (question.columnsBy === 'assigneedurationbystatus')
            add(figureOf(`${id}|${user}`, `${title}: ${name}`, [id]), piece);
          else
            for (const group of groupsOf(holder.value, question)) add(figureOf(group.id, group.name), piece);
        }
      }
      break;
    default:
      for (let i = 0; i < visits.length; i += 1) {
        const visit = visits[i];
        const entering = question.columnsBy.includes('transitionto');
        if (visit === undefined || (!entering && i === visits.length - 1)) continue;
        const known = figures.some(({ id }) => id === visit.value);
        if (question.columnsBy.startsWith('first') && known) continue;
        of(visit).value = entering ? visit.start : visit.end;
      }
  }
  return figures;
}

/** Whether time in a status counts in a report, and has a column. */
export function counts(status: string, { statuses, includeDeleted }: StandInQuestion): boolean {
  if (statuses !== null) return statuses.includes(status);
  return includeDeleted || caseWorld.statuses.every(({ id, deleted }) => id !== status || !deleted);
}

/** What people call a value of a field. */
export function nameOf(field: VisitedField, id: string | null): string {
  if (field === 'status') return caseWorld.statuses.find((one) => one.id === id)?.name ?? '';
  if (field === 'assignee') return caseWorld.users.find((one) => one.id === id)?.name ?? 'Unassigned';
  const priorities: Readonly<Record<string, string>> = caseWorld.priorities;
  return priorities[id ?? ''] ?? 'Empty';
}

function groupsOf(user: string | null, { groups }: StandInQuestion) {
  return caseWorld.groups.filter(({ id, name, members }) => {
    const wanted = groups === null || groups.includes(id) || groups.includes(name);
    return wanted && members.some((member) => member === user);
  });
}

function between(
  visits: readonly StandInVisit[],
  { from, fromVisit, to, toVisit, paused }: StandInMetric,
  { calendar }: StandInQuestion,
): number | null {
  let start = from.length === 0 && visits.length > 0 ? 0 : -1;
  for (let i = 0; i < visits.length; i += 1) {
    if (from.includes(visits[i]?.value ?? '') && (start === -1 || fromVisit === 'last')) start = i;
  }
  if (start === -1) return null;
  let stop = -1;
  for (let i = start; i < visits.length; i += 1) {
    if (to.includes(visits[i]?.value ?? '') && (stop === -1 || toVisit === 'last')) stop = i;
  }
  let ms = 0;
  for (let i = start; i < (stop === -1 ? visits.length : stop); i += 1) {
    const visit = visits[i];
    if (visit !== undefined && !paused.includes(visit.value ?? ''))
      ms += workingMs(visit.start, visit.end, calendar);
  }
  return ms;
}

/** The stay day by day, days of the calendar's zone, those of a period together. */
function piecesByPeriod({ start, end, open }: StandInVisit, { timePeriod }: StandInQuestion) {
  const pieces: { period: string; start: number; end: number; open: boolean }[] = [];
  for (
    let day = midnightBefore(start);
    day < end || day === midnightBefore(start);
    day += millisecondsInDay
  ) {
    const period = periodOf(day, timePeriod);
    const piece = {
      period,
      start: Math.max(day, start),
      end: Math.min(day + millisecondsInDay, end),
      open: false,
    };
    const last = pieces.at(-1);
    if (last?.period === period) last.end = piece.end;
    else pieces.push(piece);
  }
  const last = pieces.at(-1);
  if (last !== undefined) last.open = open;
  return pieces;
}

function periodOf(day: number, timePeriod: string): string {
  const date = new Date(day).toISOString().slice(0, 10);
  switch (timePeriod) {
    case 'day':
      return date;
    case 'week': {
      const thursday = day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * millisecondsInDay;
      const year = new Date(thursday).getUTCFullYear();
      const week = Math.floor((thursday - Date.UTC(year, 0)) / (7 * millisecondsInDay)) + 1;
      return `${year}-W${String(week).padStart(2, '0')}`;
    }
    case 'quarter':
      return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
    case 'year':
      return date.slice(0, 4);
    default:
      return date.slice(0, 7);
  }
}
