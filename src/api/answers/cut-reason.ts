import type { IssueFacts } from '../../model/table.ts';

/** Why an issue's history does not tell. */
export function cutReason({ history }: Pick<IssueFacts, 'history'>): string {
  return `its history is not complete${history.complete ? '' : `: ${history.reason}`}`;
}
