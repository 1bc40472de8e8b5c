import type { IssueColumns } from '../columns/issue-columns.ts';
import type { Scan, ScanFound, ScanPlan } from '../engine/scan-rows.ts';
import type { Sprint } from '../model/directory.ts';
import type { Status } from '../model/issue.ts';
import type { AudienceScope, Scope } from '../model/permissions.ts';
import type { Principal } from '../model/principal.ts';
import type { ReportRequest, Statistic } from '../model/request.ts';
import type { Column, IssueLines, Provenance, Table, TableHead } from '../model/table.ts';

/** What a door needs to know of a report type. `shape` tells whether a line is an issue or one visit of an issue. */
export interface ReportTypeFacts {
  readonly id: string;
  readonly title: string;
  readonly shape: 'issue' | 'visit';
}

/**
 * A list of any number of issues, read from front to back: its lines are made while they are read, in parts, with
 * pauses in which others get their turn.
 */
export interface ReportReader {
  readonly list: TableHead;
  /** One table per statistic asked for, in that order: of the same issues, as of the same instant. */
  readonly statistics: readonly Table[];
  /** Can be read once. */
  lines(): AsyncIterable<readonly IssueLines[]>;
}

/** Some of the issues that were selected once. */
export interface IssueSlice {
  /** A report over these issues alone; what the request says of which issues, and as of when, was settled before. */
  report(request: ReportRequest): Promise<Table>;
}

/**
 * What a pass over the columns of the issues of a request found. Places are those of issues in the order of the request,
 * from 0 on.
 */
export interface ScannedIssues<Found> {
  readonly found: Found;
  /** Ids of statuses by slot; that of slot 0, which is no status, is empty. */
  readonly statusIds: readonly string[];
  /** The columns of the statuses that were met, as a table of all the issues has them. */
  readonly columns: readonly Column[];
  /** Of all issues of the request, as that of a report over them. */
  readonly provenance: Provenance;
  /** The key before the number by access class, in upper case. */
  readonly projects: readonly string[];
  /** What so many issues of each access class are. */
  contents(counts: ArrayLike<number>): AudienceScope;
  keys(places: ArrayLike<number>): readonly string[];
  /** Issues at some places, to look at themselves; no slice of none. */
  slices(places: ArrayLike<number>): AsyncIterable<IssueSlice>;
}

/** How a reader is watched and stopped. */
export interface Reading {
  /** Told now and then: how many issues are done, of how many. */
  readonly onProgress?: (completed: number, total: number) => void;
  /** Aborted: whatever waits for the reader fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The port of everything that is asked about time in status. Doors and use cases know only this; locally it is
 * our engine over the mirror. Every call acts with the rights of the principal and fails with an AppError.
 */
export interface ReportingApi {
  /** Every value of a request's `reportType`. */
  readonly reportTypes: readonly ReportTypeFacts[];
  /**
   * Runs one report. An issue asked for by its key that does not exist, or that the principal may not see, is `not-found`;
   * from every other selection it is just absent.
   */
  report(request: ReportRequest): Promise<Table>;
  /**
   * Opens a list (a request without statistic and page) for reading. A report type whose values have no statistics
   * gets none, whatever is asked for.
   */
  open(request: ReportRequest, statistics: readonly Statistic[], reading?: Reading): Promise<ReportReader>;
  /**
   * The issues of a request a slice at a time, at least one, so that any number of reports over any number of issues
   * takes the memory of one slice; all of them speak of the same issues, as of the same instant. Fails as `report` would.
   */
  slices(request: ReportRequest): AsyncIterable<IssueSlice>;
  /**
   * One pass over the columns of a request's issues, however many there are; fails as `report` would. Absent where there
   * are no columns, and then `slices` is the way. `planOf` completes the plan with what the columns themselves know.
   */
  scan?<Plan extends ScanPlan, Found extends ScanFound>(
    request: ReportRequest,
    scan: Scan<Plan, Found>,
    planOf: (plan: ScanPlan, columns: IssueColumns) => Plan,
  ): Promise<ScannedIssues<Found>>;
  /** How many issues a request is about; fails as `report` would. */
  count(request: ReportRequest): Promise<number>;
  /**
   * What issues a request is about: who may read the answer is decided by it. Null where the service behind does not
   * tell; fails as `report` would.
   */
  contents(request: ReportRequest): Promise<AudienceScope | null>;
  /** Fails as `report` would for what is wrong with the request itself; measures nothing. */
  check(request: ReportRequest): Promise<void>;
  /** Every status the principal may meet in a report, the tracker's order. */
  statuses(principal: Principal): Promise<readonly Status[]>;
  /** Every sprint the principal can know of; none where the service behind has no list of them. */
  sprints(principal: Principal): Promise<readonly Sprint[]>;
  /** The zone in which the principal reads and writes dates (IANA). */
  timeZoneOf(principal: Principal): Promise<string>;
  /**
   * How far the principal sees; what was made for them may not be theirs to see any more. Of what they could see `then`,
   * whatever has not been closed since is told as open.
   */
  scope(principal: Principal, then?: Scope): Promise<Scope>;
  /** Up to `count` keys of issues that exist and have something to tell, lately moved ones: for examples that work. */
  exampleKeys(principal: Principal, count: number): Promise<readonly string[]>;
}
