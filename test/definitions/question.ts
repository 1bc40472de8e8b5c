import type { DelegateTimes } from '../../src/model/delegation.ts';
import type { Group } from '../../src/model/directory.ts';
import type { Blockers } from '../../src/model/flow.ts';
import type { FieldValue, Instant, Issue, Status } from '../../src/model/issue.ts';
import type { ReportRequest } from '../../src/model/request.ts';
import type {
  Cells,
  Column,
  ColumnKind,
  CurrentValue,
  MetricState,
  UnknownTime,
} from '../../src/model/table.ts';
import {
  contradictionsOf,
  type HistoryVisit,
  trimmed,
  unknownTime,
  type WorkingMs,
  wholeVisits,
} from './history.ts';

/** A request with everything beside the issues that its answer depends on. */
export interface DefinedQuestion {
  readonly request: ReportRequest;
  readonly asOf: Instant;
  /** The calendar's working time. */
  readonly between: WorkingMs;
  /** The calendar's zone, whose days make the periods. */
  readonly timeZone: string;
  /** All statuses that are known, by id. */
  readonly statuses: ReadonlyMap<string, Status>;
  /** Display names by user id. */
  readonly userNames: ReadonlyMap<string, string>;
  /** The groups of the request, or all there are. */
  readonly groups: readonly Group[];
  /** Titles of the history fields by id. */
  readonly fieldTitles: ReadonlyMap<string, string>;
  readonly delegateTimes: DelegateTimes;
  readonly blocked: BlockedWorld;
}

/** The facts beside an issue that decide what blocked it. */
interface BlockedWorld {
  readonly issues: readonly Issue[];
  /** The fields that are flags. */
  readonly flags: readonly string[];
  isDone(issue: Issue, status: string, asOf: Instant): boolean;
  blockedBy(issue: Issue): Blockers;
  /** Whether an issue counts as the other end of a link. */
  counts(issue: Issue, request: ReportRequest): boolean;
}

/** One thing that a column is about; with `status` it is that status. */
export interface Level {
  readonly id: string;
  readonly title: string;
  readonly status?: FieldValue;
  readonly isConsolidated?: true;
}

/** A column that an issue has come to, before anything is left out; its title is made of its levels'. */
export interface DefinedColumn {
  readonly id: string;
  readonly kind: ColumnKind;
  readonly levels: readonly Level[];
  /** The text between the titles of two levels. */
  readonly divider: string;
  readonly standIn?: NonNullable<Column['standIn']>;
}

/** The outcome of a report for one issue, before anything is left out. */
export interface DefinedIssue {
  /** In the order in which the issue came to them; where there is no cell, the figure is unknown. */
  readonly columns: readonly DefinedColumn[];
  readonly lines: readonly Cells[];
  readonly current: readonly CurrentValue[];
  readonly unknown: UnknownTime | null;
  readonly contradictions: number;
  readonly states?: Readonly<Record<string, MetricState>>;
  /** Statuses whose time counts in columns that are about something else. */
  readonly otherStatuses: readonly FieldValue[];
}

/** The definition of a report type. */
export type Define = (issue: Issue, question: DefinedQuestion) => DefinedIssue;

/** The visits of a field in the window of a question. */
export function visitsIn(issue: Issue, field: string, { asOf, request }: DefinedQuestion) {
  return trimmed(wholeVisits(issue, field, asOf), request.trim);
}

/** The working time of a visit. */
export function workIn({ start, end }: Pick<HistoryVisit, 'start' | 'end'>, { between }: DefinedQuestion) {
  return between(start, end);
}

/** The part of an outcome that follows from the histories of some fields alone, whatever is measured of them. */
export function factsOf(issue: Issue, fields: readonly string[], question: DefinedQuestion) {
  const visits = fields.map((field) => visitsIn(issue, field, question));
  const contradictions = fields.map((field) => contradictionsOf(issue, field, question.asOf));
  return {
    unknown: unknownTime(visits, question.between),
    contradictions: contradictions.reduce((sum, one) => sum + one, 0),
    current: [],
    otherStatuses: [],
  };
}

/** A column that an issue is in, and since when. */
export function currentIn({ id, levels, divider }: DefinedColumn, since: Instant | null): CurrentValue {
  return { columnId: id, title: levels.map(({ title }) => title).join(divider), since };
}

/** The consolidated statuses of a request; stages are defined in the tests of flows. */
export const consolidatedOf = ({ consolidated }: Pick<ReportRequest, 'consolidated'>) =>
  consolidated === 'stages' ? [] : consolidated;

/** The levels that time in a status counts for: the status, and each consolidated status that it is a member of. */
export function statusLevels(issue: Issue, status: FieldValue, question: DefinedQuestion): readonly Level[] {
  const consolidated = consolidatedOf(question.request);
  return [
    { id: status.id, title: nameIn(issue, 'status', status, question), status },
    ...consolidated
      .filter(({ statuses }) => statuses.includes(status.id))
      .map(({ name }): Level => ({ id: `consolidated:${name}`, title: name, isConsolidated: true })),
  ];
}

/** The person an issue is with. */
export function assigneeLevel(assignee: FieldValue | null, { userNames }: DefinedQuestion): Level {
  if (assignee === null) return { id: ':unassigned', title: 'Unassigned' };
  return { id: assignee.id, title: userNames.get(assignee.id) ?? assignee.name };
}

/** A column about one thing. */
export function columnAbout(level: Level, kind: ColumnKind): DefinedColumn {
  return { id: level.id, kind, levels: [level], divider: '' };
}

/** The order in which two levels are those of a column. */
export type Arranged = (first: Level, second: Level) => DefinedColumn;

/** A column of durations about one thing within another. */
export const within: Arranged = (first, second) => ({
  id: `${first.id}|${second.id}`,
  kind: 'duration',
  levels: [first, second],
  divider: ': ',
});

/** The same, the second thing first. */
export const reversed: Arranged = (first, second) => within(second, first);

/** The name of a value of an issue's field today. */
export function nameIn(
  issue: Pick<Issue, 'status'>,
  field: string,
  value: FieldValue,
  { statuses, userNames }: DefinedQuestion,
): string {
  if (['assignee', 'reporter', 'creator'].includes(field)) return userNames.get(value.id) ?? value.name;
  const status = field === 'status' ? statuses.get(value.id) : undefined;
  return status?.listed && isListedAsShown(issue, statuses) ? status.name : value.name;
}

/** Whether the tracker's list calls the status of an issue as the issue does: only then its names count for the issue. */
export function isListedAsShown(
  { status }: Pick<Issue, 'status'>,
  statuses: DefinedQuestion['statuses'],
): boolean {
  const known = statuses.get(status.id);
  return known !== undefined && known.unlisted !== true && known.name === status.name;
}
