import type { Instant } from '../../model/issue.ts';
import { noRequests, type SyncProblem, type SyncStatus } from '../../model/sync.ts';
import type { RejectedIssues } from './read-rejected.ts';
import type { SyncState } from './sync-state.ts';

/** What of the status is no part of the state. */
interface Beside {
  readonly issues: number;
  readonly cutHistories: number;
  readonly rejected: RejectedIssues;
  /** Which issues are wished now; while others are here, not all that are wished are. */
  readonly wish: string | null;
  readonly withIssues: boolean;
  /** Of this process, where nothing is kept yet. */
  readonly startedAt: Instant;
  readonly problem: SyncProblem | null;
}

/** The status as doors tell it. Before a site was ever reached its address is empty. */
export function tellStatus(state: SyncState | null, beside: Beside): SyncStatus {
  const { issues, cutHistories, withIssues } = beside;
  if (state === null) {
    return {
      site: '',
      step: 'rests',
      filled: false,
      done: 0,
      total: null,
      asOf: null,
      startedAt: beside.startedAt,
      comparedAt: null,
      issues,
      cutHistories,
      clockAheadMs: null,
      withheld: [],
      problem: beside.problem,
      requests: noRequests,
    };
  }
  const { site, step, startedAt, comparedAt, clockAheadMs, requests } = state;
  const isWished = state.wish === beside.wish;
  const { done, total } = isWished ? state : { done: 0, total: null };
  const filledAt = !withIssues ? state.listsAt : isWished ? state.filledAt : null;
  return {
    site,
    step,
    filled: filledAt !== null,
    done,
    total,
    asOf: filledAt === null ? null : withIssues ? state.asOf : filledAt,
    startedAt,
    comparedAt,
    issues,
    cutHistories,
    clockAheadMs,
    withheld: [
      ...state.refused.map(({ source, reason }) => `${source}: ${reason}`),
      ...tellRejected(beside.rejected),
    ],
    problem: beside.problem ?? state.problem ?? state.guard,
    requests,
  };
}

function tellRejected({ count, some }: RejectedIssues): readonly string[] {
  const others = count - some.length;
  return [
    ...some.map(({ key, reason }) => `${key}: ${reason}`),
    ...(others > 0
      ? [`${others.toLocaleString('en-US')} more issues that cannot be used; they are tried again as well`]
      : []),
  ];
}
