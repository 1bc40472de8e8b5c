import { changesOf } from '../../issues/issue-fields.ts';
import type { DelegateTimes } from '../../model/delegation.ts';
import type { Issue, User } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CreditedStandIns, DelegationApi } from '../delegation.ts';
import type { Scene } from './scene.ts';

/**
 * Who stood in for whom and when, as far as a request credits them; null where it credits nobody. To be asked once per
 * question, so that all of the answer speaks of the same times. Fails where the asker may not know them, and for a
 * category that does not exist; nobody is asked about where the request credits nobody.
 */
export async function creditedTimes(
  { asker, creditDelegates }: Pick<ReportRequest, 'asker' | 'creditDelegates'>,
  delegateTimes: DelegationApi['delegateTimes'],
): Promise<CreditedStandIns | null> {
  if (creditDelegates === null) return null;
  return delegateTimes(asker, creditDelegates.length === 0 ? null : creditDelegates);
}

/** Who stood in for the assignees of some issues, as far as the tracker knows them; no issue need mention them. */
export async function delegatesFor(
  issues: readonly Issue[],
  times: DelegateTimes,
  { people }: Pick<Scene, 'people'>,
): Promise<ReadonlyMap<string, User>> {
  const ids = new Set<string>();
  for (const owner of assigneesOf(issues)) for (const { delegate } of times(owner)) ids.add(delegate);
  return ids.size === 0 ? new Map() : people(ids);
}

/** Ids of everybody the issues are or were with. */
function assigneesOf(issues: readonly Issue[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const issue of issues) {
    if (issue.assignee !== null) ids.add(issue.assignee.id);
    for (const { from, to } of changesOf(issue, 'assignee')) {
      if (from !== null) ids.add(from.id);
      if (to !== null) ids.add(to.id);
    }
  }
  return ids;
}
