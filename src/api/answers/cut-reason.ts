import type { IssueFacts } from '../../model/table.ts';

/** Why an issue's history does not tell. */
export function cutReason({ history }: Pick<IssueFacts, 'history'>): string {
  if (history.complete) return 'the service it comes from does not tell';
  return `its history is not complete: ${history.reason}`;
}
