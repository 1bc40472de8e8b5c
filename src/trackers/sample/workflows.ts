import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { FieldValue, Status } from '../../model/issue.ts';
import { type Choices, type ProjectKey, resolutions, statuses } from './company.ts';

/** Half of the drawn times (ms) are below `median`; `sigma` 1 makes a long tail. */
interface Spread {
  readonly median: number;
  readonly sigma: number;
}

/** The steps that may follow, with their weights. */
type Next = Readonly<Record<string, number>>;

/**
 * A stay in a status and what may follow; several steps can share a status. The role `by` works in it and makes the change
 * that leaves it. `wait` passes day and night before anyone looks at it; `work` is of the actor's own working hours, plain
 * time for who is on call, a reporter or automation. `gate` is an appointment that leaving waits for, `takes` how likely
 * the actor becomes the assignee on entering, which `frees` takes the issue from its assignee. `replacedBy` is used
 * instead once the web team has given up the status; without a `next` the issue has come to its end.
 */
export interface Step {
  readonly in: Status;
  readonly by: 'maker' | 'reviewer' | 'tester' | 'lead' | 'on call' | 'reporter' | 'automation';
  readonly frees?: true;
  readonly wait?: Spread;
  readonly gate?: 'sprint' | 'release' | 'night';
  readonly work?: Spread;
  readonly takes?: number;
  readonly replacedBy?: string;
  readonly resolutions?: Choices<FieldValue>;
  readonly next?: Next;
}
type Workflow = Readonly<Record<string, Step>>;

const days = (count: number, sigma: number): Spread => ({ median: count * millisecondsInDay, sigma });
const hours = (count: number, sigma: number): Spread => ({ median: count * millisecondsInHour, sigma });
const minutes = (count: number, sigma: number): Spread => ({ median: count * millisecondsInMinute, sigma });

const { open, inProgress, resolved, closed, toDo, done, inReview, qa, blocked, waiting } = statuses;
const { backlog, selected, analysis, inAppReview, readyForRelease } = statuses;
const solved: Choices<FieldValue> = [[resolutions.done, 1]];

const web: Workflow = {
  waiting: {
    in: toDo,
    by: 'maker',
    wait: days(12, 0.8),
    gate: 'sprint',
    work: hours(13, 0.8),
    next: { analysed: 42, built: 50, dropped: 5, hurried: 3 },
  },
  shelved: {
    in: toDo,
    by: 'lead',
    wait: days(420, 0.6),
    work: hours(2, 0.5),
    next: { dropped: 70, built: 30 },
  },
  urgent: { in: toDo, by: 'maker', work: hours(1, 0.8), next: { built: 1 } },
  started: { in: inProgress, by: 'maker', work: hours(7, 0.8), takes: 1, next: { reviewed: 1 } },
  analysed: {
    in: analysis,
    by: 'maker',
    work: hours(9, 0.9),
    takes: 1,
    replacedBy: 'built',
    next: { built: 92, dropped: 8 },
  },
  built: {
    in: inProgress,
    by: 'maker',
    work: hours(13, 0.9),
    takes: 1,
    next: { reviewed: 86, stopped: 8, stuck: 4, tested: 3 },
  },
  stuck: { in: inProgress, by: 'maker', work: hours(420, 0.6), next: { reviewed: 1 } },
  stopped: { in: blocked, by: 'maker', wait: days(5, 0.9), work: hours(1, 0.7), next: { resumed: 1 } },
  resumed: { in: inProgress, by: 'maker', work: hours(5, 0.8), takes: 1, next: { reviewed: 95, stopped: 5 } },
  hurried: { in: inProgress, by: 'automation', takes: 1, next: { reviewed: 1 } },
  reviewed: {
    in: inReview,
    by: 'reviewer',
    work: hours(4, 1),
    next: { tested: 73, reworked: 19, finished: 8 },
  },
  reworked: { in: inProgress, by: 'maker', work: hours(3, 0.9), takes: 1, next: { reviewed: 1 } },
  tested: { in: qa, by: 'tester', work: hours(5, 0.9), takes: 0.35, next: { finished: 86, reworked: 14 } },
  finished: {
    in: done,
    by: 'lead',
    wait: days(6, 0.8),
    work: hours(1, 0.6),
    resolutions: solved,
    next: { over: 95, reopened: 5 },
  },
  reopened: { in: inProgress, by: 'maker', work: hours(6, 0.8), takes: 1, next: { reviewed: 1 } },
  over: { in: done, by: 'lead' },
  duplicate: { in: toDo, by: 'lead', work: minutes(40, 1), next: { dropped: 1 } },
  mistaken: { in: toDo, by: 'reporter', wait: minutes(0.4, 0.25), next: { dropped: 1 } },
  dropped: {
    in: done,
    by: 'lead',
    resolutions: [
      [resolutions.wontDo, 55],
      [resolutions.duplicate, 30],
      [resolutions.cannotReproduce, 15],
    ],
  },
};

const app: Workflow = {
  waiting: {
    in: backlog,
    by: 'lead',
    wait: days(18, 0.9),
    work: hours(2, 0.6),
    next: { picked: 92, dropped: 8 },
  },
  shelved: {
    in: backlog,
    by: 'lead',
    wait: days(420, 0.6),
    work: hours(2, 0.5),
    next: { dropped: 75, picked: 25 },
  },
  picked: { in: selected, by: 'maker', work: hours(10, 0.9), next: { built: 94, returned: 4, hurried: 2 } },
  returned: {
    in: backlog,
    by: 'lead',
    frees: true,
    wait: days(25, 0.7),
    work: hours(2, 0.6),
    next: { picked: 70, dropped: 30 },
  },
  urgent: { in: selected, by: 'maker', work: hours(1, 0.8), next: { built: 1 } },
  started: { in: inProgress, by: 'maker', work: hours(8, 0.8), takes: 1, next: { reviewed: 1 } },
  built: {
    in: inProgress,
    by: 'maker',
    work: hours(16, 0.9),
    takes: 1,
    next: { reviewed: 90, stopped: 6, stuck: 4, returned: 1 },
  },
  stuck: { in: inProgress, by: 'maker', work: hours(380, 0.7), next: { reviewed: 1 } },
  stopped: { in: blocked, by: 'maker', wait: days(6, 0.9), work: hours(1, 0.7), next: { reworked: 1 } },
  hurried: { in: inProgress, by: 'automation', takes: 1, next: { reviewed: 1 } },
  reviewed: { in: inAppReview, by: 'reviewer', work: hours(6, 1), next: { ready: 80, reworked: 20 } },
  reworked: { in: inProgress, by: 'maker', work: hours(4, 0.9), takes: 1, next: { reviewed: 1 } },
  ready: { in: readyForRelease, by: 'lead', gate: 'release', work: minutes(12, 0.5), next: { shipped: 1 } },
  shipped: {
    in: done,
    by: 'lead',
    wait: days(8, 0.8),
    work: hours(1, 0.6),
    resolutions: solved,
    next: { over: 96, reopened: 4 },
  },
  reopened: { in: inProgress, by: 'maker', work: hours(6, 0.8), takes: 1, next: { reviewed: 1 } },
  over: { in: done, by: 'lead' },
  duplicate: { in: backlog, by: 'lead', work: minutes(40, 1), next: { dropped: 1 } },
  mistaken: { in: backlog, by: 'reporter', wait: minutes(0.4, 0.25), next: { dropped: 1 } },
  dropped: {
    in: done,
    by: 'lead',
    resolutions: [
      [resolutions.wontDo, 60],
      [resolutions.duplicate, 25],
      [resolutions.cannotReproduce, 15],
    ],
  },
};

const ops: Workflow = {
  queued: { in: open, by: 'maker', work: hours(5, 1), next: { handled: 92, declined: 5, asked: 3 } },
  shelved: { in: open, by: 'lead', wait: days(380, 0.6), work: hours(2, 0.6), next: { declined: 1 } },
  taken: { in: inProgress, by: 'maker', work: minutes(50, 0.8), takes: 1, next: { answered: 1 } },
  handled: {
    in: inProgress,
    by: 'maker',
    work: hours(4, 1),
    takes: 1,
    next: { answered: 54, contested: 4, asked: 28, stopped: 10, passedOn: 4 },
  },
  passedOn: { in: open, by: 'maker', frees: true, work: hours(3, 0.8), next: { handled: 1 } },
  asked: { in: waiting, by: 'automation', wait: days(1.6, 1.1), next: { resumed: 88, answered: 12 } },
  stopped: { in: blocked, by: 'maker', wait: days(5, 1), work: hours(1, 0.7), next: { resumed: 1 } },
  resumed: {
    in: inProgress,
    by: 'maker',
    work: hours(2, 1),
    takes: 1,
    next: { answered: 79, contested: 3, asked: 16, stopped: 2 },
  },
  alarmed: { in: open, by: 'on call', work: minutes(7, 0.8), next: { mended: 90, calmed: 10 } },
  mended: {
    in: inProgress,
    by: 'on call',
    work: minutes(45, 0.9),
    takes: 1,
    next: { calmed: 78, followedUp: 22 },
  },
  followedUp: { in: blocked, by: 'maker', work: hours(6, 0.9), next: { resumed: 1 } },
  answered: {
    in: resolved,
    by: 'automation',
    wait: days(3, 0.02),
    gate: 'night',
    work: minutes(3, 0.5),
    resolutions: solved,
    next: { over: 1 },
  },
  contested: {
    in: resolved,
    by: 'automation',
    wait: days(0.9, 0.7),
    resolutions: solved,
    next: { reopened: 1 },
  },
  calmed: {
    in: resolved,
    by: 'automation',
    wait: days(2, 0.02),
    gate: 'night',
    work: minutes(3, 0.5),
    resolutions: [
      [resolutions.done, 88],
      [resolutions.cannotReproduce, 12],
    ],
    next: { over: 1 },
  },
  reopened: { in: open, by: 'maker', work: hours(2, 0.8), next: { resumed: 1 } },
  declined: {
    in: resolved,
    by: 'automation',
    wait: days(3, 0.02),
    gate: 'night',
    work: minutes(3, 0.5),
    resolutions: [
      [resolutions.wontDo, 70],
      [resolutions.duplicate, 30],
    ],
    next: { over: 1 },
  },
  mistaken: { in: open, by: 'reporter', wait: minutes(0.4, 0.25), next: { declined: 1 } },
  over: { in: closed, by: 'automation' },
};

/** The steps of each project by name. */
export const workflows: Readonly<Record<ProjectKey, Workflow>> = { WEB: web, APP: app, OPS: ops };
