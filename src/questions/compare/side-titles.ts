import type { Comparison } from '../../model/answer.ts';
import type { Side } from '../../model/question.ts';
import type { AnswerPlace } from '../view/answer-place.ts';
import { titleWithoutQuery } from '../view/title-without-query.ts';
import type { CompareQuestion } from './compare-sides.ts';

/** What two sides are called: where others read it, a query somebody typed is only a filter. */
export function sideTitles(
  titles: Comparison['titles'],
  question: Pick<CompareQuestion, 'sides'>,
  place: AnswerPlace,
): Comparison['titles'] {
  if (place === 'private') return titles;
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
