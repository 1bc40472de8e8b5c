import { appInReview, backlog, blocked, done, inProgress, readyForRelease, selected } from './statuses.ts';
import { days, hours, minutes, type Workflow } from './workflow.ts';

/** Kanban: pulled when there is room, shipped with the weekly release. */
export const appWorkflow: Workflow = {
  starts: [
    ['waiting', 71],
    ['shelved', 23],
    ['started', 4],
    ['duplicate', 1.5],
    ['mistaken', 1],
  ],
  urgentStart: 'urgent',
  steps: {
    waiting: {
      status: backlog,
      by: 'lead',
      rest: days(18, 0.9),
      work: hours(2, 0.6),
      next: [
        ['picked', 92],
        ['dropped', 8],
      ],
    },
    shelved: {
      status: backlog,
      by: 'lead',
      rest: days(420, 0.6),
      work: hours(2, 0.5),
      next: [
        ['dropped', 75],
        ['picked', 25],
      ],
    },
    picked: {
      status: selected,
      by: 'maker',
      work: hours(10, 0.9),
      next: [
        ['built', 94],
        ['returned', 4],
        ['hurried', 2],
      ],
    },
    returned: {
      status: backlog,
      by: 'lead',
      frees: true,
      rest: days(25, 0.7),
      work: hours(2, 0.6),
      next: [
        ['picked', 70],
        ['dropped', 30],
      ],
    },
    urgent: { status: selected, by: 'maker', work: hours(1, 0.8), next: [['built', 1]] },
    started: { status: inProgress, by: 'maker', work: hours(8, 0.8), takes: 1, next: [['reviewed', 1]] },
    built: {
      status: inProgress,
      by: 'maker',
      work: hours(16, 0.9),
      takes: 1,
      next: [
        ['reviewed', 90],
        ['stopped', 6],
        ['stuck', 4],
        ['returned', 1],
      ],
    },
    stuck: { status: inProgress, by: 'maker', work: hours(380, 0.7), next: [['reviewed', 1]] },
    stopped: {
      status: blocked,
      by: 'maker',
      rest: days(6, 0.9),
      work: hours(1, 0.7),
      next: [['reworked', 1]],
    },
    hurried: { status: inProgress, by: 'automation', takes: 1, next: [['reviewed', 1]] },
    reviewed: {
      status: appInReview,
      by: 'reviewer',
      work: hours(6, 1),
      next: [
        ['ready', 80],
        ['reworked', 20],
      ],
    },
    reworked: { status: inProgress, by: 'maker', work: hours(4, 0.9), takes: 1, next: [['reviewed', 1]] },
    ready: {
      status: readyForRelease,
      by: 'lead',
      gate: 'release',
      work: minutes(12, 0.5),
      next: [['shipped', 1]],
    },
    shipped: {
      status: done,
      by: 'lead',
      rest: days(8, 0.8),
      work: hours(1, 0.6),
      resolutions: [['Done', 1]],
      next: [
        ['over', 96],
        ['reopened', 4],
      ],
    },
    reopened: { status: inProgress, by: 'maker', work: hours(6, 0.8), takes: 1, next: [['reviewed', 1]] },
    over: { status: done, by: 'lead' },
    duplicate: { status: backlog, by: 'lead', work: minutes(40, 1), next: [['dropped', 1]] },
    mistaken: { status: backlog, by: 'reporter', rest: minutes(0.4, 0.25), next: [['dropped', 1]] },
    dropped: {
      status: done,
      by: 'lead',
      resolutions: [
        ["Won't Do", 60],
        ['Duplicate', 25],
        ['Cannot Reproduce', 15],
      ],
    },
  },
};
