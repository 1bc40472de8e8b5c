import type { Selection } from '../../model/request.ts';
import type { AnswerPlace } from './answer-place.ts';

/**
 * The query that chose the issues, for its principal alone: it may name projects, issues and people that others may not know
 * of. Null where there is none to be told.
 */
export function queryText(selection: Selection | null, place: AnswerPlace): string | null {
  return place === 'private' && selection?.by === 'jql' ? selection.jql : null;
}
