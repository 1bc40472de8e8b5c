/** Fields and functions that Jira documents and Dwell refuses, by all their names, with the reason. */
export interface Unsupported {
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
