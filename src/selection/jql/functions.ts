import type { Compilation } from './jql.ts';
import { type CallOperand, listed, pieceError, type ValueOperand } from './query-tree.ts';
import type { NonEmptyOperand } from './values.ts';

/** Fields and functions that Jira documents and Dwell refuses, by all their names, with the reason. */
interface Unsupported {
  readonly names: readonly [string, ...string[]];
  /** A whole sentence without its full stop. */
  readonly because: string;
}

const SERVICE = 'Dwell does not read the requests of Jira Service Management';
const PERSONAL = 'Jira answers it for the account that Dwell reads with, not for you';
const PROJECTS = 'Dwell does not read the settings of projects';
const WORK_LOGS = 'Dwell does not read work logs';

/**
 * Fields of Jira's reference whose data is not here. Where the site has a field of its own under such a name, that is
 * meant; `lastViewed` is a field of every site, but of one account.
 */
export const unsupportedFields: readonly Unsupported[] = [
  { names: ['approvals'], because: SERVICE },
  { names: ['category'], because: PROJECTS },
  { names: ['change-gating-type'], because: SERVICE },
  { names: ['comment'], because: 'Dwell does not read the texts of comments' },
  { names: ['hierarchyLevel'], because: 'Dwell does not know the levels of issue types' },
  { names: ['issue.property'], because: 'Dwell does not read the properties of issues' },
  {
    names: [
      ...(['issueLinkType', 'issueLink', 'issueBlocks', 'issueIsBlockedBy', 'issueCauses'] as const),
      ...['issueIsCausedBy', 'issueClones', 'issueIsClonedBy', 'issueDuplicates'],
      ...['issueIsDuplicatedBy', 'issueRelatesTo'],
    ],
    because: 'Dwell finds links by their words, with issue in linkedIssues()',
  },
  { names: ['lastViewed'], because: PERSONAL },
  { names: ['organizations', 'organization'], because: SERVICE },
  { names: ['parentEpic', 'parentProject'], because: 'Dwell searches the direct parent only' },
  { names: ['projectType'], because: PROJECTS },
  { names: ['rank'], because: 'Dwell does not read the order of boards' },
  { names: ['Request Type', 'Customer Request Type'], because: SERVICE },
  { names: ['request-channel-type'], because: SERVICE },
  { names: ['request-last-activity-time'], because: SERVICE },
  { names: ['voter'], because: 'Dwell reads how many votes there are, and not who voted' },
  { names: ['watcher'], because: 'Dwell reads how many watchers there are, and not who they are' },
  { names: ['worklogAuthor'], because: WORK_LOGS },
  { names: ['worklogComment'], because: WORK_LOGS },
  { names: ['worklogDate'], because: WORK_LOGS },
];

const PEOPLE = 'Dwell does not read the leads, roles and permissions of projects';

/** Functions of Jira's reference that need data which is not here. */
export const unsupportedFunctions: readonly Unsupported[] = [
  { names: ['approved', 'approver', 'myApproval', 'myPending', 'pending', 'pendingBy'], because: SERVICE },
  {
    names: [
      'breached',
      'completed',
      'elapsed',
      'everBreached',
      'paused',
      'remaining',
      'running',
      'withinCalendarHours',
    ],
    because:
      'Dwell reads whether a service level agreement is running, paused, met or breached: compare it with that word',
  },
  { names: ['componentsLeadByUser'], because: 'Dwell does not read the leads of components' },
  { names: ['currentLogin', 'lastLogin'], because: 'Dwell does not know when you log in to Jira' },
  { names: ['customerDetail', 'entitlementDetail', 'entitlementProduct'], because: SERVICE },
  { names: ['organizationDetail', 'organizationMembers'], because: SERVICE },
  { names: ['issueHistory', 'votedIssues', 'watchedIssues'], because: PERSONAL },
  { names: ['issuesWithRemoteLinksByGlobalId'], because: 'Dwell does not read links to other sites' },
  {
    names: ['projectsLeadByUser', 'projectsWhereUserHasPermission', 'projectsWhereUserHasRole'],
    because: PEOPLE,
  },
];

/** The entry under a name, in whatever case. */
export function unsupported(all: readonly Unsupported[], name: string): Unsupported | undefined {
  const wanted = name.trim().toLowerCase();
  return all.find(({ names }) => names.some((one) => one.toLowerCase() === wanted));
}

/** Functions of dates: they stand for one instant. */
export const dateFunctions = [
  'now',
  ...['startOf', 'endOf'].flatMap((edge) =>
    ['Day', 'Week', 'Month', 'Quarter', 'Year'].map((unit) => edge + unit),
  ),
];

/** Functions that stand for one value. */
const singleValued: readonly string[] = [
  'currentUser',
  ...dateFunctions,
  ...['latestReleasedVersion', 'earliestUnreleasedVersion'],
];

/** Functions that stand for several values: they go with IN and NOT IN only, as in Jira. */
const manyValued: readonly string[] = [
  ...['membersOf', 'openSprints', 'closedSprints', 'futureSprints', 'standardIssueTypes'],
  ...['subTaskIssueTypes', 'cascadeOption', 'linkedIssues', 'updatedBy'],
  ...['releasedVersions', 'unreleasedVersions'],
];

/** Every function that is supported, as Jira spells it. */
export const allFunctions: readonly string[] = [...singleValued, ...manyValued];

function isAmong(names: readonly string[], called: string): boolean {
  return names.some((one) => one.toLowerCase() === called);
}

/** The written value of an operand of a field that takes no function. */
export function writtenValue(
  operand: NonEmptyOperand,
  title: string,
  compilation: Compilation,
): ValueOperand {
  if (operand.kind === 'value') return operand;
  return functionCalled(operand, [], { compilation, title, inList: true });
}

/** The field in which a function is called, and whether it may stand for several values there. */
interface CallPlace {
  readonly compilation: Compilation;
  readonly title: string;
  readonly inList: boolean;
}

/** The function called, in lower case, if a field takes it (`taken`); otherwise the refusal says what it takes. */
export function functionCalled(call: CallOperand, taken: readonly [], place: CallPlace): never;
export function functionCalled(call: CallOperand, taken: readonly string[], place: CallPlace): string;
export function functionCalled(
  call: CallOperand,
  taken: readonly string[],
  { compilation: { name }, title, inList }: CallPlace,
): string {
  const called = call.called.text.toLowerCase();
  const missing = unsupported(unsupportedFunctions, called);
  if (missing !== undefined) throw pieceError(name, call.called, `is not supported: ${missing.because}.`);
  if (!isAmong(allFunctions, called)) {
    throw pieceError(
      name,
      call.called,
      `is not a function that is supported. Try: ${listed(allFunctions.map(withBrackets))}.`,
    );
  }
  if (!isAmong(taken, called)) {
    const allowed = taken.length === 0 ? 'no function' : listed(taken.map(withBrackets));
    throw pieceError(name, call.called, `is not a function that ${title} takes. Try: ${allowed}.`);
  }
  if (isAmong(manyValued, called) && !inList) {
    throw pieceError(name, call, 'gives several values. Try: IN or NOT IN before it.');
  }
  return called;
}

/** The arguments, if there are as many as the function takes. */
export function checkArguments(call: CallOperand, { name }: Compilation, min: number, max = min): void {
  const count = call.args.length;
  if (count >= min && count <= max) return;
  const allowed = min === max ? `${min === 0 ? 'no' : min}` : `${min} to ${max}`;
  throw pieceError(name, call, `has ${count} arguments. Try: ${allowed} argument${max === 1 ? '' : 's'}.`);
}

function withBrackets(called: string): string {
  return `${called}()`;
}
