import type { CycleTime, LeftOut, Unknowns } from '../../model/answer.ts';
import type { CompiledFlow, Flows, ProjectFlow, WorkKind } from '../../model/flow.ts';
import type { Instant } from '../../model/issue.ts';
import type { AudienceScope, Principal, ReportRequest, Selection } from '../../model/request.ts';
import type { IssueFacts, Provenance } from '../../model/table.ts';
import type { Finish } from './finish-of.ts';
import type { NamedIssue, NamedStatus, ObservedStatus, StatusOfWork } from './read-table.ts';

/**
 * The port for questions about many issues together. Durations are working ms, and times of statuses are by status id; lists
 * of durations are in one array or several. Each operation is as of one instant, and fails as a report would.
 */
export interface OutcomesApi {
  /** The outcomes of all issues together. */
  outcomes(issues: IssuesInput): Promise<OutcomeTotals>;
  /** The issues finished in spans that adjoin. */
  finishedSpans(input: FinishedInput): Promise<FinishedSpans>;
  /** The issues in each stage of their flows at instants, and how old they are there. */
  stagesOverTime(input: StagesInput): Promise<StagesOverTime>;
  /** The issues that are not done, and how long they have been in their status. */
  openIssues(input: OpenInput): Promise<OpenIssues>;
  /** The visits of issues of each project (its key, upper case) that ended in the last days. */
  endedVisits(input: EndedInput): Promise<ReadonlyMap<string, EndedVisits>>;
  /** The flows that say what is started, waiting and finished; `draft` in the place of that of its project. */
  flows(principal: Principal, draft?: ProjectFlow): Promise<Flows>;
  /** The time in which started issues were blocked in spans that adjoin; null where that is unknown, as of a service elsewhere. */
  blockedSpans(input: BlockedInput): Promise<BlockedSpans | null>;
  /** The issues that are in another status than at an instant. */
  movedSince(input: MovedInput): Promise<MovedSince>;
  /** The issues of each sprint at its end. */
  sprintOutcomes(input: SprintsInput): Promise<readonly SprintOutcomes[]>;
}

/** Principal, instant and calendar of a question about many issues; dates in its JQL are of the zone, by default the principal's. */
export interface OutcomesInput extends Partial<Pick<ReportRequest, 'timeZone'>> {
  readonly principal: Principal;
  readonly asOf: Instant;
  readonly calendar: string;
  /** The flows to go by, where these are not those of the tenant. */
  readonly flows?: Flows | undefined;
}

/** The issues of a question; without `dateRange` all that are selected. */
export interface IssuesInput extends OutcomesInput, Partial<Pick<ReportRequest, 'dateRange'>> {
  readonly selection: Selection;
}

/** The outcome of an issue up to an instant. */
export interface IssueOutcome {
  readonly facts: Pick<IssueFacts, 'key' | 'link' | 'created' | 'history' | 'unknown'>;
  readonly summary: string;
  /** Null where it is not finished, does not count as finished work, or where that is unknown. */
  readonly finish: Finish | null;
  /** The same, whether or not it counts as finished work. */
  readonly ended: Finish | null;
  readonly flow: CompiledFlow;
  /** It is work of its flow. */
  readonly counts: boolean;
  /** A finish of it counts as finished work. */
  readonly countsFinish: boolean;
  /** It is work of its flow, and is not done, as far as is known. */
  readonly open: boolean;
  /** The id of the status it is in; null where that is unknown. */
  readonly statusId: string | null;
  /** Why it is unknown whether it is open or finished; null where it is known. */
  readonly unclear: string | null;
  /** Whole working ms in each status it was in, by status id; null where a cut history does not show them. */
  readonly times: ReadonlyMap<string, number> | null;
  /** Titles of the statuses it is known to have been in whose category is unknown. */
  readonly withoutCategory: readonly string[];
}

/** The outcomes of issues. */
export interface IssueOutcomes {
  readonly outcomes: readonly IssueOutcome[];
  /** Statuses that are not done that they were in, in workflow order. */
  readonly statuses: readonly ObservedStatus[];
  /** The provenance of the report on their times in status. */
  readonly provenance: Provenance;
}

/** Lists of durations, each issue or visit once. */
export type Durations = readonly Float64Array[];

/** The outcomes of all issues together. */
export interface OutcomeTotals {
  readonly issues: number;
  /** Those of them whose time in each status is known whole. */
  readonly known: number;
  readonly finished: number;
  readonly cycleTimes: Durations;
  /** The reasons why the other finished ones have no cycle time, with their numbers. */
  readonly withoutCycleTime: ReadonlyMap<string, number>;
  /** The whole time in a status of each issue that was in it. */
  readonly times: (statusId: string) => Durations;
  /** Statuses that are not done, in workflow order. */
  readonly statuses: readonly ObservedStatus[];
  /** The unknowns of issues that may have been finished in the time of the question as well. */
  readonly doubts: Unknowns;
  readonly provenance: Provenance;
}

/** The outcome of an issue that may be finished. */
export type DoubtfulIssue = Pick<
  IssueOutcome,
  'facts' | 'finish' | 'countsFinish' | 'unclear' | 'withoutCategory'
>;

/** From `start` on and before `end`. */
export interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

/** Issues, and the spans in which they may be finished. */
export interface FinishedInput extends IssuesInput {
  /** The beginning of each span, and the end of the last one. */
  readonly bounds: readonly Instant[];
  /** Statuses (ids) whose times count together in `FinishedSpan.together`. */
  readonly together?: readonly string[];
  /** Only these of all issues, of a selection without conditions. */
  readonly part?: ProjectPart;
}

/**
 * Issues of a project (its key, upper case) that a principal sees: those of access classes seen as a whole (`open`), those
 * of the others (`restricted`), or both; without those that are known not to have changed since an instant.
 */
export interface ProjectPart {
  readonly project: string;
  readonly classes?: 'open' | 'restricted' | undefined;
  readonly changedSince: Instant;
}

/** The issues finished in spans, the spans in their order. */
export interface FinishedSpans {
  readonly spans: readonly FinishedSpan[];
  /** Issues that were open, or became done, in the spans, as far as is known, how many of them have a cut history, and the
   * titles of the statuses without a category that these were in. */
  readonly lived: number;
  readonly cutHistories: number;
  readonly withoutCategory: readonly string[];
  /** Issues of which it is unknown whether they were finished in the spans. */
  readonly doubtful: readonly DoubtfulIssue[];
  /** Statuses that are not done of all issues, in workflow order. */
  readonly statuses: readonly ObservedStatus[];
  readonly provenance: Provenance;
  /** The scope of the issues that were finished in the spans; null where it is unknown. */
  finishedContents(): Promise<AudienceScope | null>;
}

/** Times (working ms) by status id, and by what the status counts as in the flow of each issue. */
export type TimesByKind = ReadonlyMap<string, ReadonlyMap<WorkKind, number>>;

/** An issue that is finished, and its cycle time, or why it has none. */
export interface FinishedIssue {
  readonly key: string;
  readonly cycle: CycleTime;
}

/** The issues finished in a span; lists of issues are in the order of the question. */
export interface FinishedSpan extends Span {
  readonly finished: number;
  readonly cycleTimes: Durations;
  /** The cycle times of the issues of one of the flows of the input. */
  cycleTimesIn(flow: CompiledFlow): Durations;
  /** The time in the statuses that count together of each issue that was in one of them. */
  readonly together: Durations;
  /** The whole time in a status of each issue that was in it. */
  times(statusId: string): Durations;
  issues(): readonly FinishedIssue[];
  /** Summaries and links of some of the issues, by key. */
  named(keys: readonly string[]): Promise<ReadonlyMap<string, Pick<NamedIssue, 'summary' | 'link'>>>;
  outcomes(): Promise<readonly IssueOutcome[]>;
  /** The time of all issues, finished or not, in each status that is not done within the span, as far as it is known. */
  within(): Promise<TimesByKind>;
  /** Counts the issues that are started and not done at its end, or as of the answer while it runs. */
  inProgress(): Promise<number>;
}

/** Issues, and spans that adjoin. */
export interface BlockedInput extends IssuesInput, Pick<ReportRequest, 'linksWithin'> {
  /** The beginning of each span, and the end of the last one. */
  readonly bounds: readonly Instant[];
}

/** Blocked time of started work in a span (working ms), and the number of issues that have some, with their keys. */
export interface BlockedSpan {
  readonly ms: number;
  readonly issues: number;
  readonly keys: () => readonly string[];
  /** The part of it in active stages, of issues whose project has a flow of its own. */
  readonly activeMs: number;
}

/** Blocked time in spans, in their order. */
export interface BlockedSpans {
  readonly spans: readonly BlockedSpan[];
  /** The scope of the issues and of those at the other ends of their links. */
  readonly contents: AudienceScope | null;
}

/** Issues, and the instant with which their statuses are compared; those of the keys in `except` are left out. */
export interface MovedInput extends IssuesInput {
  readonly since: Instant;
  readonly except: ReadonlySet<string>;
}

/** An issue that is in another status than at an instant; `from` is null where it did not exist then. */
export interface MovedIssue extends NamedIssue {
  readonly from: NamedStatus | null;
  readonly to: StatusOfWork;
  /** When it came to its status. */
  readonly at: Instant;
}

/**
 * The numbers of issues that are in another status than at an instant: those `started` since for the first time, and the others.
 * Issues that were done then and still are, and new ones that no one began, are in neither; nor are moves that a cut history hides.
 */
export interface MovedSince {
  readonly started: number;
  readonly moved: number;
  /** The first of them, those that moved last first. */
  issues(which: 'started' | 'moved', limit: number): Promise<readonly MovedIssue[]>;
}

/** Issues, and when those in each stage are counted. */
export interface StagesInput extends IssuesInput {
  /** Instants in their order, none after that of the question: each counts what is just before it. */
  readonly instants: readonly Instant[];
  /** The beginning of each span that adjoins the next one, and the end of the last one. */
  readonly bounds: readonly Instant[];
}

/** A stage of flows; those of one name and kind are one, of whichever projects. */
interface StageOverTime {
  readonly name: string;
  readonly kind: WorkKind;
  /** The number of issues in it by instant. */
  readonly counts: readonly number[];
  /** The issues that are in it now, of a stage that is started, with the working ms since the start of each. */
  readonly open: { readonly ages: Float64Array; keyAt(index: number): string };
  /** The working ms from the start of each issue finished in the spans until it last left the stage. */
  readonly left: Float64Array;
}

/** The issues in each stage over time. What a cut history does not show is in no stage. */
export interface StagesOverTime {
  /** In the order of the flows, and statuses that no stage has in workflow order. */
  readonly stages: readonly StageOverTime[];
  /** The number of issues that were created in each span. */
  readonly arrived: readonly number[];
  /** The issues finished in the spans that have a cycle time (working ms), each with when it was finished. */
  readonly finished: {
    readonly at: Float64Array;
    readonly cycleMs: Float64Array;
    keyAt(index: number): string;
  };
  /** Started issues whose start is unknown. */
  readonly ageUnknown: readonly string[];
}

/** Open issues: `assignees`: only those known to be assigned to one of these users (ids). */
export interface OpenInput extends OutcomesInput {
  readonly selection: Selection;
  readonly assignees: readonly string[] | null;
  /** Issues that are not started are only counted. */
  readonly onlyStarted: boolean;
}

/** An open issue and how long it has been in its status. */
export interface OpenIssue extends NamedIssue {
  readonly project: string;
  readonly status: StatusOfWork;
  readonly since: Instant;
  readonly ageMs: number;
  /** Its cycle time so far: null where it is not started, or where its history does not show it. */
  readonly workMs: number | null;
  /** The flow that it is work of; null: of none. */
  readonly flow: CompiledFlow | null;
  readonly historyComplete: boolean;
}

/** The issues of a project (its key, upper case) that are in one status. */
export interface OpenGroup {
  readonly project: string;
  readonly statusId: string;
  readonly isStarted: boolean;
  /** The age of each issue. */
  readonly ages: Float64Array;
  /** The cycle time so far of each that is started, NaN where its history does not show it; of others empty. */
  readonly work: Float64Array;
  /** The flow that the started issue at an index is work of; null: of none. */
  flowAt(index: number): CompiledFlow | null;
  /** The key of the issue whose age has an index. */
  keyAt(index: number): string;
}

/** Open issues. */
export interface OpenIssues {
  /** Those whose entry into their status is known. */
  readonly groups: readonly OpenGroup[];
  /** Some of these; those that are gone meanwhile are left out. */
  issues(
    some: readonly { readonly group: OpenGroup; readonly index: number }[],
  ): Promise<readonly OpenIssue[]>;
  /** The keys of issues whose entry into their status is unknown. */
  readonly unknown: readonly string[];
  /** Issues of which it is unknown whether they are open, or whose. */
  readonly unclear: readonly LeftOut[];
  /** Titles of the statuses without a category that open issues are in. */
  readonly withoutCategory: readonly string[];
  /** All that are not started, whether they are among the others or only counted, and the largest age of them. */
  readonly notStarted: { readonly count: number; readonly oldestMs: number | null };
  /** The number of them with a cut history, but for those that are only counted. */
  readonly cutHistories: number;
  /** The scope of all of them; null where it is unknown. */
  readonly contents: AudienceScope | null;
  /** The provenance of all issues of the selection. */
  readonly provenance: Provenance;
}

/** Visits of the issues of some projects (keys, upper case) that ended at `since` or later. */
export interface EndedInput extends OutcomesInput {
  readonly projects: readonly string[];
  readonly since: Instant;
  /** The access classes to which the issues of a single project are limited. */
  readonly classes?: ProjectPart['classes'];
}

/** The durations of visits by status id, and the scope of the issues they are of; null where it is unknown. */
export interface EndedVisits {
  readonly byStatus: ReadonlyMap<string, readonly Float64Array[]>;
  readonly contents: AudienceScope | null;
}

/** A sprint from its start to its end: when it was closed, or the instant of the answer while it runs. */
export interface SprintSpan extends Span {
  readonly id: string;
  readonly name: string;
  readonly running: boolean;
}

/** Sprints; `isCut`: counted up to an instant before its end. */
export interface SprintsInput extends OutcomesInput {
  readonly spans: readonly (SprintSpan & { readonly isCut: boolean })[];
}

/** The issues of a sprint at its end, counted. */
export interface SprintOutcomes {
  readonly span: SprintSpan;
  readonly finished: number;
  /** Issues that are not done. */
  readonly open: number;
  /** Issues that were not in it at its start; null where cut histories do not show which. */
  readonly added: number | null;
  readonly cycleTimes: Durations;
  /** The time of all of its issues within it; statuses that are done are left out. */
  readonly within: ReadonlyMap<string, number>;
  /** Issues that may have been finished within it. */
  readonly maybe: readonly IssueOutcome[];
  /** Issues of which it is unknown whether they are done. */
  readonly unclear: number;
  readonly withoutCategory: Unknowns['statusesWithoutCategory'];
  readonly statuses: readonly ObservedStatus[];
  readonly provenance: Provenance;
  /** The issues themselves. */
  issues(): Promise<SprintIssues>;
}

/** The issues of a sprint at its end. */
export interface SprintIssues extends IssueOutcomes {
  readonly finished: readonly IssueOutcome[];
  readonly maybe: readonly IssueOutcome[];
  readonly open: readonly IssueOutcome[];
  /** Null where cut histories do not show which. */
  readonly added: readonly IssueOutcome[] | null;
  readonly within: ReadonlyMap<string, number>;
  /** The same issues as of the end. */
  readonly input: IssuesInput;
}
