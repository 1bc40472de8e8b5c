import type { Instant } from './issue.ts';
import type { BrowseScope, ReportRequest } from './request.ts';
import type { DateFormats } from './settings.ts';
import type { Provenance } from './table.ts';

/** The content of a file: a workbook of the list and its statistics, the list alone, or one statistic. */
export const exportTypes = [
  'XLSX',
  'XLS',
  'JSON',
  'CSV',
  'CSVAVERAGE',
  'CSVSUM',
  'CSVMEDIAN',
  'CSVSTDDEV',
] as const;
export type ExportType = (typeof exportTypes)[number];

/** Units durations can be shown in; `humanReadable` is words. */
type ExportUnit = 'days' | 'hours' | 'minutes' | 'seconds' | 'humanReadable';

/** A file that a principal asked for. The request is that of the list: without statistic and page. */
export interface ExportInput {
  /** The principal's name as people know it, where it is not the one of the request. */
  readonly principalName: string | null;
  readonly type: ExportType;
  readonly request: ReportRequest;
  readonly unit: ExportUnit;
  readonly dayLength: '24HourDays' | 'businessDays';
  readonly formats: DateFormats;
  /** Sentences about the file beside those of its report. Absent where there are none. */
  readonly notes?: readonly string[];
  readonly denominator: 'nonNull' | 'all';
  readonly deviation: 'population' | 'sample';
  /** The list has a column of cycle times. Absent where it has only the columns of the report. */
  readonly withCycleTime?: true;
  /** A CSV file begins with a byte order mark. */
  readonly byteOrderMark: boolean;
  /** A CSV file is put into a ZIP together with one that says where the figures come from. */
  readonly withProvenance: boolean;
}

/** The states of a queued export; the last four are final, and Successful becomes Expired when its file is gone. */
export const exportStates = ['Queued', 'Running', 'Successful', 'Failed', 'Aborted', 'Expired'] as const;
type ExportState = (typeof exportStates)[number];

/** The doors that can bring a file to its principal. */
export const doors = ['slack'] as const;

/** The delivery of a finished file. Only its door knows the content of the note. */
export interface Delivery {
  readonly door: (typeof doors)[number];
  readonly note: Readonly<Record<string, string>>;
  /** False once it is there, or given up. */
  readonly pending: boolean;
}

/** A stored export of the queue. */
export interface ExportRecord {
  readonly id: string;
  readonly input: ExportInput;
  readonly state: ExportState;
  readonly createdAt: Instant;
  /** Issues worked through so far, and issues in all. */
  readonly completed: number;
  readonly total: number;
  /** The reason it failed or was aborted; null otherwise. */
  readonly message: string | null;
  /** The name the file is offered under, and its size in bytes; null until it is there. */
  readonly fileName: string | null;
  readonly bytes: number | null;
  /** The origin of the file's figures and their limits; null until it is there. */
  readonly provenance: Provenance | null;
  /** The scope of its principal when the file was made; null until it is there. */
  readonly scope: BrowseScope | null;
  /** The instant it came to its end; null before. */
  readonly finishedAt: Instant | null;
  /** The instant at which the file is thrown away; null until there is one. */
  readonly expiresAt: Instant | null;
  readonly delivery: Delivery | null;
  /** The number of times a process has started it. */
  readonly attempts: number;
}
