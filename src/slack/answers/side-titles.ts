import type { Comparison } from '../../model/answer.ts';
import type { Question, Side } from '../../model/question.ts';
import type { AnswerPlace } from './answer-place.ts';
import { titleWithoutQuery } from './title-without-query.ts';

/** What two sides are called: where others read it, a query somebody typed is only a filter. */
export function sideTitles(
  titles: Comparison['titles'],
  question: Question,
  place: AnswerPlace,
): Comparison['titles'] {
  if (place === 'private' || question.kind !== 'compare') return titles;
  const [one, other] = question.sides;
  const isSame = queryOf(one) === queryOf(other);
  return [
    titleWithoutQuery(titles[0], queryOf(one), isSame ? 'the filter' : 'the first filter'),
    titleWithoutQuery(titles[1], queryOf(other), isSame ? 'the filter' : 'the second filter'),
  ];
}

function queryOf({ selection }: Side): string | null {
  return selection.by === 'jql' ? selection.jql : null;
}
