import type { WorkKind } from './flow.ts';
import type { Instant } from './issue.ts';

/** The visits of a status that count when it was visited more than once. */
export const multiVisitBehaviors = ['total', 'first', 'last', 'average'] as const;
export type MultiVisitBehavior = (typeof multiVisitBehaviors)[number];

/**
 * A choice of issues. `keys` is the only choice that fails when an issue cannot be seen. `title` is what people call
 * these issues (`assigned to Ada`); it changes nothing of which they are.
 */
export type Selection =
  | { readonly by: 'keys'; readonly keys: readonly string[]; readonly title?: string }
  | { readonly by: 'project'; readonly project: string }
  /** Issues that are, or ever were, assigned to the user. */
  | { readonly by: 'user'; readonly user: string }
  | { readonly by: 'savedFilter'; readonly id: string }
  | { readonly by: 'sprint'; readonly id: string }
  | { readonly by: 'jql'; readonly jql: string; readonly title?: string };

/** `finished` is when an issue last became done, as weekly summaries count it. */
export const dateRangeFields = ['created', 'resolved', 'updated', 'finished'] as const;
export type DateRangeField = (typeof dateRangeFields)[number];

/** Narrows the selection: the field's instant lies in [from, to); null is open. */
export interface DateRange {
  readonly field: DateRangeField;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** Several statuses shown as one column under a name of the principal's. */
export interface ConsolidatedStatus {
  readonly name: string;
  readonly statuses: readonly string[];
  /** Absent: of a stage of a flow, the kind that its statuses count as. */
  readonly kind?: WorkKind;
}

export const timePeriods = ['Day', 'Week', 'Month', 'Quarter', 'Year'] as const;
export type TimePeriod = (typeof timePeriods)[number];

/** A clock from one point of an issue's life to another that stands still in some statuses. */
export interface BetweenMetric {
  readonly name: string;
  /** No statuses: from the creation on. */
  readonly from: { readonly statuses: readonly string[]; readonly visit: 'first' | 'last' };
  readonly to: { readonly statuses: readonly string[]; readonly visit: 'first' | 'last' };
  readonly pausedIn: readonly string[];
}

export const aggregationTypes = ['average', 'sum', 'median', 'standardDeviation', 'percentile'] as const;
export type AggregationType = (typeof aggregationTypes)[number];

/** One figure for many issues. `denominator` and `deviation` matter to average and standardDeviation only. */
export interface Statistic {
  readonly type: AggregationType;
  /** `nonNull`: issues with a value in the column; `all`: every issue, one without a value counts as zero. */
  readonly denominator: 'nonNull' | 'all';
  readonly deviation: 'population' | 'sample';
  /** 0 to 100; of the type `percentile` only. */
  readonly percentile: number;
}

/** The statistic of a filter's issues without further parameters. */
export const defaultStatistic: Statistic = {
  type: 'average',
  denominator: 'nonNull',
  deviation: 'population',
  percentile: 85,
};

/** A part of the answer: by the index of its first issue, or by what the part before it handed out (null: the first). */
export type Page =
  | { readonly by: 'index'; readonly start: number; readonly size: number }
  | { readonly by: 'token'; readonly token: string | null; readonly size: number };

/** A request for a report. Absent choices are spelled out (null, []), so that two equal requests are equal values. */
export interface ReportRequest {
  readonly principal: Principal;
  readonly reportType: string;
  readonly selection: Selection;
  readonly dateRange: DateRange | null;
  /** Answer as the world was at this instant; null: now. */
  readonly asOf: Instant | null;
  /** The zone (IANA) on whose clocks the dates of a query are read; null: the principal's. */
  readonly timeZone: string | null;
  /** History trimming: as if created at `from` with what the issue had then, and gone at `to`. */
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** Calendar id, or `normalHours`. */
  readonly calendar: string;
  /** Status ids to show as columns; null: every status met. */
  readonly statuses: readonly string[] | null;
  /** `stages`: those of the flow of the issues' project, in the place of statuses. */
  readonly consolidated: readonly ConsolidatedStatus[] | 'stages';
  readonly includeDeletedStatuses: boolean;
  readonly multiVisitBehavior: MultiVisitBehavior;
  /** Field ids to show as further columns. */
  readonly fields: readonly string[];
  /** The fields whose history is reported by the any-field report types. */
  readonly historyFields: readonly string[];
  /** Ids or names of user groups of groupDuration; null: every group. */
  readonly groups: readonly string[] | null;
  readonly timePeriod: TimePeriod;
  readonly metrics: readonly BetweenMetric[];
  /** Field ids; each distinct combination of their values is one group. */
  readonly groupBy: readonly string[];
  /**
   * Categories by id or name, in texts of one or several with commas between: time of an assignee someone covered for
   * is reported apart, the first category that covers it counting; []: every category. Null: time is the assignee's. Of the
   * assignee report only.
   */
  readonly creditDelegates: readonly string[] | null;
  /**
   * Keys (upper case) of the projects whose issues count as blocking by a link, unless they are restricted: those that all readers
   * of an answer can see. Absent: all issues that the principal can see.
   */
  readonly linksWithin?: readonly string[];
  /** Null: a list of issues. */
  readonly statistic: Statistic | null;
  /** Null: everything at once. */
  readonly page: Page | null;
}

type RequiredMember = 'principal' | 'reportType' | 'selection';

/** A request with the default for every member that is not given. */
export function ask(request: Pick<ReportRequest, RequiredMember> & Partial<ReportRequest>): ReportRequest {
  return {
    dateRange: null,
    asOf: null,
    timeZone: null,
    trim: { from: null, to: null },
    calendar: 'normalHours',
    statuses: null,
    consolidated: [],
    includeDeletedStatuses: false,
    multiVisitBehavior: 'total',
    fields: [],
    historyFields: [],
    groups: null,
    timePeriod: 'Month',
    metrics: [],
    groupBy: [],
    creditDelegates: null,
    statistic: null,
    page: null,
    ...request,
  };
}

/** The scope of what a person sees: enough to know later whether something has been closed since. Project keys are upper case. */
export type BrowseScope = ScopeByRules | ScopeByPermissions;

/** The projects that the rules close to a person and the levels they open. */
interface ScopeByRules {
  readonly closedProjects: readonly string[];
  readonly openLevels: readonly string[];
  /** An admin's. */
  readonly everything: boolean;
}

/** The projects and issues that the tracker itself opens to a person; all others are closed. */
interface ScopeByPermissions {
  readonly openProjects: readonly string[];
  /** Keys (upper case) of restricted issues, or of a project that is open issue by issue. */
  readonly openIssues: readonly string[];
}

/**
 * The tracker's own word on what a person may browse, in place of every rule. Everything it does not name is closed, so an
 * issue that is newer may be closed, too.
 */
export interface BrowsePermissions {
  /** Keys of the projects, upper case, of which every issue that is not restricted is open. */
  readonly projects: ReadonlySet<string>;
  /** Keys of the other projects that there are issues of, upper case. */
  readonly closedProjects: ReadonlySet<string>;
  /**
   * Keys (upper case) of single issues that are open as well, in whatever project: restricted ones, and
   * those of projects that the tracker opens issue by issue.
   */
  readonly issues: ReadonlySet<string>;
  /** The number of issues that are closed only because the tracker could not be asked about them. */
  readonly unasked: number;
}

/** The issues an answer is about: enough to decide who else may read it. */
export interface AudienceScope {
  /** Keys of their projects, and of those of whose issues it names keys, upper case, in order, each once. */
  readonly projects: readonly string[];
  /** The number of the issues. */
  readonly issues: number;
  /**
   * The number of them that have a security level or are restricted to roles, and so are not for everyone who may see
   * their project. Null: unknown.
   */
  readonly withLevel: number | null;
  /** The number of these that are restricted to roles; absent: none. */
  readonly withRoles?: number;
}

/** A test that is true if the project with a key, in any case, is closed to a person. */
export type IsClosed = (projectKey: string) => boolean;

/** The projects that are closed to a person with this scope; null: there is none. */
export function closedTo(scope: BrowseScope): IsClosed | null {
  if ('openProjects' in scope) {
    const open = new Set(scope.openProjects);
    return (key) => !open.has(key.toUpperCase());
  }
  if (scope.everything || scope.closedProjects.length === 0) return null;
  const closed = new Set(scope.closedProjects);
  return (key) => closed.has(key.toUpperCase());
}

/**
 * True if everything that could be seen then can be seen now. False as well where the tracker has taken the place of
 * the rules since, or they its place, because it is unknown then.
 */
export function stillCovers(then: BrowseScope, now: BrowseScope): boolean {
  if ('openProjects' in now) {
    return (
      'openProjects' in then &&
      isWithin(then.openProjects, now.openProjects) &&
      isWithin(then.openIssues, now.openIssues)
    );
  }
  if (now.everything) return true;
  return (
    !('openProjects' in then) &&
    !then.everything &&
    isWithin(now.closedProjects, then.closedProjects) &&
    isWithin(then.openLevels, now.openLevels)
  );
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((one) => known.has(one));
}

/** The tenant to which everything belongs where there is only one; nothing but what composes Dwell names it. */
export const defaultTenant = 'default';

/** The rights of a principal: an `admin` sees and changes everything of their tenant; a `stranger` is no user of its tracker. */
type Rights = 'admin' | 'user' | 'stranger';

/**
 * The person who asks, and their rights; part of every request. `account` is a user id of the tracker, or, for a
 * stranger and where chat accounts own things (digests, watches), an account of the chat.
 */
export interface Principal {
  readonly tenant: string;
  readonly account: string;
  readonly rights: Rights;
}

/** A principal of a tenant; without rights in particular, a user. */
export function principalIn(tenant: string, account: string, rights: Rights = 'user'): Principal {
  return { tenant, account, rights };
}
