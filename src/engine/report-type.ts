import type { Calendar } from '../calendar/calendar.ts';
import type { FieldValue, Instant, Issue } from '../model/issue.ts';
import type { MultiVisitBehavior } from '../model/request.ts';
import type { Cell, Column, CurrentValue, UnknownTime } from '../model/table.ts';
import type { Trim } from './trim.ts';

/** Everything a report type is handed besides the issue; it reaches for nothing else. */
export interface MeasureContext {
  readonly asOf: Instant;
  readonly trim: Trim;
  readonly calendar: Calendar;
  readonly multiVisitBehavior: MultiVisitBehavior;
  readonly historyFields: readonly string[];
  /** The name people know a value by today: a status may have been renamed since. */
  readonly nameOf: (issue: Issue, field: string, value: FieldValue) => string;
  /** The display name of a user id. */
  readonly userName: (id: string) => string;
}

/** What one issue comes to: its value columns and one or more lines of cells, before selection and layout. */
export interface Measured {
  readonly columns: readonly Column[];
  readonly lines: readonly Readonly<Record<string, Cell>>[];
  readonly current: CurrentValue | null;
  readonly unknown: UnknownTime | null;
  readonly contradictions: number;
}

/** One value of `columnsBy`. `shape` tells whether a line is an issue or one visit of an issue. */
export interface ReportType {
  readonly id: string;
  readonly title: string;
  readonly shape: 'issue' | 'visit';
  /** True when the value columns are statuses, so that the asker may select among them. */
  readonly byStatus: boolean;
  measure(issue: Issue, context: MeasureContext): Measured;
}
