import type { Status } from '../model/issue.ts';
import type { Asker, ReportRequest } from '../model/request.ts';
import type { Table } from '../model/table.ts';

/** What a door needs to know of a report type. `shape` tells whether a line is an issue or one visit of an issue. */
export interface ReportTypeFacts {
  readonly id: string;
  readonly title: string;
  readonly shape: 'issue' | 'visit';
}

/**
 * The port of everything that is asked about time in status. Doors and use cases know only this; locally it is
 * our engine over the mirror. Every call acts with the rights of the asker and fails with an AppError.
 */
export interface ReportingApi {
  /** Every value of a request's `reportType`. */
  readonly reportTypes: readonly ReportTypeFacts[];
  /**
   * Runs one report. An issue asked for by its key that does not exist, or that the asker may not see, is `not-found`;
   * from every other selection it is just absent.
   */
  report(request: ReportRequest): Promise<Table>;
  /** Fails as `report` would for what is wrong with the request itself; measures nothing. */
  check(request: ReportRequest): Promise<void>;
  /** Every status the asker may meet in a report, the tracker's order. */
  statuses(asker: Asker): Promise<readonly Status[]>;
  /** The zone in which the asker reads and writes dates (IANA). */
  timeZoneOf(asker: Asker): Promise<string>;
  /** Up to `count` keys of issues that exist and have something to tell, lately moved ones: for examples that work. */
  exampleKeys(asker: Asker, count: number): Promise<readonly string[]>;
}
