import { blocked, closed, inProgress, open, resolved, waitingForCustomer } from './statuses.ts';
import { days, hours, minutes, type Workflow } from './workflow.ts';

/** Service desk: requests are answered in office hours, incidents by whoever is on call; automation closes. */
export const opsWorkflow: Workflow = {
  starts: [
    ['queued', 90],
    ['shelved', 12],
    ['taken', 4],
    ['mistaken', 1],
  ],
  urgentStart: 'alarmed',
  steps: {
    queued: {
      status: open,
      by: 'maker',
      work: hours(5, 1),
      next: [
        ['handled', 92],
        ['declined', 5],
        ['asked', 3],
      ],
    },
    shelved: { status: open, by: 'lead', rest: days(380, 0.6), work: hours(2, 0.6), next: [['declined', 1]] },
    taken: { status: inProgress, by: 'maker', work: minutes(50, 0.8), takes: 1, next: [['answered', 1]] },
    handled: {
      status: inProgress,
      by: 'maker',
      work: hours(4, 1),
      takes: 1,
      next: [
        ['answered', 54],
        ['contested', 4],
        ['asked', 28],
        ['stopped', 10],
        ['passedOn', 4],
      ],
    },
    passedOn: { status: open, by: 'maker', frees: true, work: hours(3, 0.8), next: [['handled', 1]] },
    asked: {
      status: waitingForCustomer,
      by: 'automation',
      rest: days(1.6, 1.1),
      next: [
        ['resumed', 88],
        ['answered', 12],
      ],
    },
    stopped: { status: blocked, by: 'maker', rest: days(5, 1), work: hours(1, 0.7), next: [['resumed', 1]] },
    resumed: {
      status: inProgress,
      by: 'maker',
      work: hours(2, 1),
      takes: 1,
      next: [
        ['answered', 79],
        ['contested', 3],
        ['asked', 16],
        ['stopped', 2],
      ],
    },
    alarmed: {
      status: open,
      by: 'on call',
      work: minutes(7, 0.8),
      next: [
        ['mended', 90],
        ['calmed', 10],
      ],
    },
    mended: {
      status: inProgress,
      by: 'on call',
      work: minutes(45, 0.9),
      takes: 1,
      next: [
        ['calmed', 78],
        ['followedUp', 22],
      ],
    },
    followedUp: { status: blocked, by: 'maker', work: hours(6, 0.9), next: [['resumed', 1]] },
    answered: {
      status: resolved,
      by: 'automation',
      rest: days(3, 0.02),
      gate: 'night',
      work: minutes(3, 0.5),
      resolutions: [['Done', 1]],
      next: [['over', 1]],
    },
    // The customer disagrees with the answer.
    contested: {
      status: resolved,
      by: 'automation',
      rest: days(0.9, 0.7),
      resolutions: [['Done', 1]],
      next: [['reopened', 1]],
    },
    calmed: {
      status: resolved,
      by: 'automation',
      rest: days(2, 0.02),
      gate: 'night',
      work: minutes(3, 0.5),
      resolutions: [
        ['Done', 88],
        ['Cannot Reproduce', 12],
      ],
      next: [['over', 1]],
    },
    reopened: { status: open, by: 'maker', work: hours(2, 0.8), next: [['resumed', 1]] },
    declined: {
      status: resolved,
      by: 'automation',
      rest: days(3, 0.02),
      gate: 'night',
      work: minutes(3, 0.5),
      resolutions: [
        ["Won't Do", 70],
        ['Duplicate', 30],
      ],
      next: [['over', 1]],
    },
    mistaken: { status: open, by: 'reporter', rest: minutes(0.4, 0.25), next: [['declined', 1]] },
    over: { status: closed, by: 'automation' },
  },
};
