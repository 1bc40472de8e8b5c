/** What a step changes, and by whom; a member that is absent stays as it was. */
export interface CaseStep {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** Status id. */
  readonly status?: string;
  /** User id; null is nobody. */
  readonly assignee?: string | null;
  /** Id of a priority. */
  readonly priority?: string;
}

/** An issue told in plain data, so that who computes from it shares no code with who else does. */
export interface CaseIssue {
  readonly key: string;
  readonly project: string;
  readonly created: string;
  readonly resolved: string | null;
  readonly born: {
    readonly status: string;
    readonly assignee: string | null;
    readonly priority: string | null;
  };
  readonly steps: readonly CaseStep[];
  readonly storyPoints: number | null;
  /** yyyy-MM-dd. */
  readonly due: string | null;
  readonly sprint: string | null;
  /** Nothing is known of it before this instant; absent where its history is whole. */
  readonly knownFrom?: string;
}

/** The field in which the issues have their story points. */
export const storyPointsField = 'customfield_10016';

const issues: readonly CaseIssue[] = [
  {
    key: 'WEB-1',
    project: 'WEB',
    created: '2026-03-02T08:00:00Z',
    resolved: '2026-03-04T08:00:00Z',
    born: { status: '1', assignee: null, priority: '3' },
    steps: [
      { at: '2026-03-02T10:00:00Z', by: 'ada', status: '3', assignee: 'ada' },
      { at: '2026-03-03T10:00:00Z', by: 'ada', status: '4', assignee: 'bob', priority: '1' },
      { at: '2026-03-03T16:00:00Z', by: 'bob', status: '3', assignee: 'ada' },
      { at: '2026-03-04T08:00:00Z', by: 'ada', status: '5' },
    ],
    storyPoints: 3,
    due: '2026-03-06',
    sprint: '7',
  },
  {
    key: 'WEB-2',
    project: 'WEB',
    created: '2026-03-05T12:00:30Z',
    resolved: null,
    born: { status: '1', assignee: 'bob', priority: '3' },
    steps: [{ at: '2026-03-09T09:00:30Z', by: 'bob', status: '3' }],
    storyPoints: null,
    due: null,
    sprint: null,
  },
  {
    key: 'WEB-3',
    project: 'WEB',
    created: '2026-03-06T09:00:00Z',
    resolved: '2026-03-07T10:00:00Z',
    born: { status: '1', assignee: 'carl', priority: '1' },
    steps: [
      { at: '2026-03-06T10:00:00Z', by: 'carl', status: '3' },
      { at: '2026-03-06T10:00:00Z', by: 'carl', status: '4' },
      { at: '2026-03-07T10:00:00Z', by: 'bob', status: '5', assignee: null },
    ],
    storyPoints: 8,
    due: null,
    sprint: null,
  },
  {
    key: 'OPS-1',
    project: 'OPS',
    created: '2026-03-09T08:00:00Z',
    resolved: null,
    born: { status: '9', assignee: 'ada', priority: null },
    steps: [
      { at: '2026-03-10T08:00:00Z', by: 'ada', status: '3' },
      { at: '2026-03-11T08:00:00Z', by: 'ada', assignee: 'carl' },
      { at: '2026-03-12T08:00:00Z', by: 'carl', status: '1' },
    ],
    storyPoints: null,
    due: '2026-03-31',
    sprint: '7',
  },
  {
    key: 'OPS-2',
    project: 'OPS',
    created: '2026-03-16T08:00:00Z',
    resolved: null,
    born: { status: '1', assignee: null, priority: '2' },
    steps: [],
    storyPoints: null,
    due: null,
    sprint: null,
  },
  {
    key: 'CUT-1',
    project: 'CUT',
    created: '2026-03-02T08:00:00Z',
    resolved: null,
    born: { status: '3', assignee: null, priority: '2' },
    steps: [{ at: '2026-03-10T08:00:00Z', by: 'ada', status: '4' }],
    storyPoints: null,
    due: null,
    sprint: null,
    knownFrom: '2026-03-09T08:00:00Z',
  },
];

/**
 * A small company at noon (UTC) of Friday, 20 March 2026. Its people are in Berlin, an hour ahead until the 29th. Status 9
 * is gone from the tracker; WEB-2 lives by half minutes; WEB-3 was in status 3 for no time at all; of CUT-1
 * the first week is not known.
 */
export const caseWorld = {
  now: '2026-03-20T12:00:00Z',
  timeZone: 'Europe/Berlin',
  principal: 'ada',
  issues,
  projects: { WEB: 'Website', OPS: 'Operations', CUT: 'Cut short' },
  statuses: [
    { id: '1', name: 'To Do', category: 'To Do', deleted: false },
    { id: '3', name: 'Doing', category: 'In Progress', deleted: false },
    { id: '4', name: 'Review', category: 'In Progress', deleted: false },
    { id: '5', name: 'Done', category: 'Done', deleted: false },
    { id: '9', name: 'Old Step', category: 'In Progress', deleted: true },
  ],
  priorities: { 1: 'High', 2: 'Medium', 3: 'Low' },
  users: [
    { id: 'ada', name: 'Ada Ash' },
    { id: 'bob', name: 'Bob Birch' },
    { id: 'carl', name: 'Carl Cedar' },
  ],
  groups: [
    { id: 'g1', name: 'Builders', members: ['ada', 'bob'] },
    { id: 'g2', name: 'Readers', members: ['bob', 'carl'] },
  ],
  sprint: { id: '7', name: 'Sprint One' },
  filter: { id: '100', name: 'Finished work', jql: 'status = Done' },
  /** Seven hours a day around lunch, Monday to Friday; ms after midnight. */
  calendar: {
    id: 7,
    name: 'Office',
    timeZone: 'Europe/Berlin',
    workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).flatMap((weekday) => [
      { weekday, start: 32_400_000, end: 43_200_000 },
      { weekday, start: 46_800_000, end: 61_200_000 },
    ]),
    holidays: [{ name: 'Founding day', date: '2026-03-10', recurring: false }],
  },
} as const;
