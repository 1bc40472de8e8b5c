import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { Wording } from '../view/wording.ts';

/** What a list and a statistic have in common. */
export interface ReportParts {
  readonly table: Table;
  readonly request: ReportRequest;
  /** Which issues are meant, to follow their number. */
  readonly which: (wording: Wording) => string;
}
