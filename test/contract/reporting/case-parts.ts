import { millisecondsInMinute } from 'date-fns/constants';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import type { Instant } from '../../../src/model/issue.ts';
import type { ReportRequest, Selection, Statistic } from '../../../src/model/request.ts';
import type { Table } from '../../../src/model/table.ts';
import { caseWorld } from '../../support/case-world.ts';
import { principalOf } from '../../support/principal-of.ts';

/** What some implementation has no words for. */
export type Untold =
  | 'consolidated statuses'
  | 'the levels of a column'
  | 'the state of a metric'
  | 'the contents of an answer'
  | 'who made a transition'
  | 'visits of any field'
  | 'whether an issue existed'
  | 'how many issues there are'
  | 'since when an issue is where it is'
  | 'what is not known of an issue';

/** What the cases ask with; a port is opened before the first of them. */
export interface CaseParts {
  readonly reporting: () => ReportingApi;
  /** The report of time in status over everything, unless told otherwise. */
  readonly report: (choices?: Partial<ReportRequest>) => Promise<Table>;
  /** The figures of one issue, by title. */
  readonly figures: (key: string, choices?: Partial<ReportRequest>) => Promise<unknown>;
  readonly keysOf: (choices: Partial<ReportRequest>) => Promise<readonly string[]>;
  /** An instant as exact as the implementation tells it. */
  readonly at: (iso: string) => Instant;
  /** A test that there is only where the implementation has words for it. */
  readonly whereTold: (what: Untold) => (name: string, run: () => Promise<void>) => void;
  readonly tells: (what: Untold) => boolean;
}

export const HALF_MINUTE = 30_000;

/** So many hours in ms. */
export const hours = (count: number) => count * 60 * millisecondsInMinute;

/** WEB-2 has been in Doing since half a minute past nine on the 9th. */
export const doingOfWeb2 = hours(267) - HALF_MINUTE;

/** Who asks. */
export const principal = principalOf(caseWorld.principal);

/** All issues whose history is whole, newest first. */
export const everything: Selection = { by: 'jql', jql: 'project in (WEB, OPS)' };

/** These issues. */
export const only = (...keys: string[]): Selection => ({ by: 'keys', keys });

/** The sum of the figures there are. */
export const sum: Statistic = {
  type: 'sum',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
};
