import type { Status } from '../model/issue.ts';
import type { Asker, ReportRequest } from '../model/request.ts';
import type { Table } from '../model/table.ts';

/**
 * The port of everything that is asked about time in status. Doors and use cases know only this; locally it is
 * our engine over the mirror. Every call acts with the rights of the asker and fails with an AppError.
 */
export interface ReportingApi {
  /** Runs one report. An issue that does not exist, or that the asker may not see, is `not-found`. */
  report(request: ReportRequest): Promise<Table>;
  /** Every status the asker may meet in a report, the tracker's order. */
  statuses(asker: Asker): Promise<readonly Status[]>;
  /** Up to `count` keys of issues that exist and have something to tell, lately moved ones: for examples that work. */
  exampleKeys(asker: Asker, count: number): Promise<readonly string[]>;
}
