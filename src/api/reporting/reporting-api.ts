import type { ReportType } from '../../engine/reports/measuring/report-type.ts';
import type { Sprint } from '../../model/directory.ts';
import type { FieldValue, Status } from '../../model/issue.ts';
import type { AudienceScope, BrowseScope, Principal, ReportRequest, Statistic } from '../../model/request.ts';
import type { IssueLines, Table, TableHead } from '../../model/table.ts';
import type { OutcomesApi } from '../outcomes/outcomes-api.ts';

/**
 * A report type as doors know it. `shape`: whether a line is an issue or one visit of an issue; `options` are members of a
 * request that only some report types have a use for, and `requires` those of them without which this one makes no sense.
 */
export interface ReportTypeFacts
  extends Pick<ReportType, 'id' | 'title' | 'shape' | 'options' | 'requires'> {}

/** A list of any number of issues, read once from front to back: its lines are made, in parts, while they are read. */
export interface ReportReader {
  readonly list: TableHead;
  /** One table per requested statistic, in that order: of the same issues, as of the same instant. */
  readonly statistics: readonly Table[];
  lines(): AsyncIterable<readonly IssueLines[]>;
}

/** Some of the issues that were selected once. */
export interface IssueSlice {
  /** A report over these issues alone; which issues, and as of when, was settled before. */
  report(request: ReportRequest): Promise<Table>;
}

/** Choices for a selection: keys of projects, saved filters, and people. */
export interface IssueChoices {
  readonly projects: readonly string[];
  readonly filters: readonly FieldValue[];
  readonly people: readonly FieldValue[];
}

/** Options of a reader. */
export interface Reading {
  /** Called now and then: how many issues are done, of how many. */
  readonly onProgress?: (completed: number, total: number) => void;
  /** Aborted: whatever waits for the reader fails with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The port for every question about time in status, all that doors and use cases know of it: locally our engine over the
 * mirror. Every call acts with the rights of the principal and fails with an AppError.
 */
export interface ReportingApi extends OutcomesApi {
  /** Every value of a request's `reportType`. */
  readonly reportTypes: readonly ReportTypeFacts[];
  /**
   * Runs one report. An issue selected by its key that does not exist, or that the principal cannot see, is
   * `unknown-issue`; from every other selection it is just absent.
   */
  report(request: ReportRequest): Promise<Table>;
  /** Opens a list (without statistic and page) for reading; values of a type without statistics get none. */
  open(request: ReportRequest, statistics: readonly Statistic[], reading?: Reading): Promise<ReportReader>;
  /**
   * The issues of a request, as of one instant, a slice at a time, at least one, so that any number of reports over any
   * number of issues takes the memory of one slice. Fails as `report` would.
   */
  slices(request: ReportRequest): AsyncIterable<IssueSlice>;
  /** The number of issues assigned to the principal by project key. */
  assignedProjects(principal: Principal): Promise<ReadonlyMap<string, number>>;
  /**
   * The same text for principals who see the same issues of some projects (keys, upper case), so that an answer to one of them
   * about these projects is right for the others. With `open` only issues in classes that are seen as a whole count.
   */
  effectOn(principal: Principal, projects: readonly string[], classes?: 'open'): Promise<string>;
  /** A question about all issues of a project takes about as long as one about an issue; else each of them is read for it. */
  readonly passesOverProjects: boolean;
  /** Counts the issues of a request; fails as `report` would. */
  count(request: ReportRequest): Promise<number>;
  /** The scope that decides who can read an answer to a request; null where it is unknown. Fails as `report` would. */
  audienceScope(request: ReportRequest): Promise<AudienceScope | null>;
  /** Fails as `report` would for what is wrong with the request itself; measures nothing. */
  check(request: ReportRequest): Promise<void>;
  /** Every status that can be in a report for the principal, the tracker's order. */
  statuses(principal: Principal): Promise<readonly Status[]>;
  /** Every sprint the principal can know of; `unsupported-by-service` where the service behind has no list of them. */
  sprints(principal: Principal): Promise<readonly Sprint[]>;
  /** Choices for a selection, as far as the principal can know of them; `unsupported-by-service` as for sprints. */
  choices(principal: Principal): Promise<IssueChoices>;
  /** The zone in which the principal reads and writes dates (IANA). */
  timeZoneOf(principal: Principal): Promise<string>;
  /**
   * The scope that the principal can browse: something made for them may not be theirs to see any more. Of what they could see `then`,
   * whatever has not been closed since counts as open.
   */
  browseScope(principal: Principal, then?: BrowseScope): Promise<BrowseScope>;
  /** Up to `count` keys of issues whose history is worth showing, lately moved ones: for examples that work. */
  exampleKeys(principal: Principal, count: number, project?: string): Promise<readonly string[]>;
}
