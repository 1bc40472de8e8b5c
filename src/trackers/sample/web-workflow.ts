import { analysis, blocked, done, inProgress, inReview, qa, toDo } from './statuses.ts';
import { days, hours, minutes, type Workflow } from './workflow.ts';

/** Scrum: planned into a sprint, built, reviewed, tested. */
export const webWorkflow: Workflow = {
  starts: [
    ['waiting', 73],
    ['shelved', 20],
    ['started', 4],
    ['duplicate', 1.5],
    ['mistaken', 1],
  ],
  urgentStart: 'urgent',
  steps: {
    waiting: {
      status: toDo,
      by: 'maker',
      rest: days(12, 0.8),
      gate: 'sprint',
      work: hours(13, 0.8),
      next: [
        ['analysed', 42],
        ['built', 50],
        ['dropped', 5],
        ['hurried', 3],
      ],
    },
    shelved: {
      status: toDo,
      by: 'lead',
      rest: days(420, 0.6),
      work: hours(2, 0.5),
      next: [
        ['dropped', 70],
        ['built', 30],
      ],
    },
    urgent: { status: toDo, by: 'maker', work: hours(1, 0.8), next: [['built', 1]] },
    started: {
      status: inProgress,
      by: 'maker',
      work: hours(7, 0.8),
      takes: 1,
      next: [['reviewed', 1]],
    },
    analysed: {
      status: analysis,
      by: 'maker',
      work: hours(9, 0.9),
      takes: 1,
      replacedBy: 'built',
      next: [
        ['built', 92],
        ['dropped', 8],
      ],
    },
    built: {
      status: inProgress,
      by: 'maker',
      work: hours(13, 0.9),
      takes: 1,
      next: [
        ['reviewed', 86],
        ['stopped', 8],
        ['stuck', 4],
        ['tested', 3],
      ],
    },
    stuck: { status: inProgress, by: 'maker', work: hours(420, 0.6), next: [['reviewed', 1]] },
    stopped: {
      status: blocked,
      by: 'maker',
      rest: days(5, 0.9),
      work: hours(1, 0.7),
      next: [['resumed', 1]],
    },
    resumed: {
      status: inProgress,
      by: 'maker',
      work: hours(5, 0.8),
      takes: 1,
      next: [
        ['reviewed', 95],
        ['stopped', 5],
      ],
    },
    // The change arrives before anybody moved the card, and automation moves it through two statuses at once.
    hurried: { status: inProgress, by: 'automation', takes: 1, next: [['reviewed', 1]] },
    reviewed: {
      status: inReview,
      by: 'reviewer',
      work: hours(4, 1),
      next: [
        ['tested', 73],
        ['reworked', 19],
        ['finished', 8],
      ],
    },
    reworked: { status: inProgress, by: 'maker', work: hours(3, 0.9), takes: 1, next: [['reviewed', 1]] },
    tested: {
      status: qa,
      by: 'tester',
      work: hours(5, 0.9),
      takes: 0.35,
      next: [
        ['finished', 86],
        ['reworked', 14],
      ],
    },
    finished: {
      status: done,
      by: 'lead',
      rest: days(6, 0.8),
      work: hours(1, 0.6),
      resolutions: [['Done', 1]],
      next: [
        ['over', 95],
        ['reopened', 5],
      ],
    },
    reopened: { status: inProgress, by: 'maker', work: hours(6, 0.8), takes: 1, next: [['reviewed', 1]] },
    over: { status: done, by: 'lead' },
    duplicate: { status: toDo, by: 'lead', work: minutes(40, 1), next: [['dropped', 1]] },
    mistaken: { status: toDo, by: 'reporter', rest: minutes(0.4, 0.25), next: [['dropped', 1]] },
    dropped: {
      status: done,
      by: 'lead',
      resolutions: [
        ["Won't Do", 55],
        ['Duplicate', 30],
        ['Cannot Reproduce', 15],
      ],
    },
  },
};
