import type { DigestPlace } from '../../model/digest.ts';
import type { Question } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { titleWithoutQuery } from '../answers/title-without-query.ts';
import { shorten } from '../messages/shorten.ts';

const LENGTH = 100;

/**
 * What a digest is called where nobody gave it a name: what was asked, as it was typed. A query is told to its owner
 * only, for it may name what others in the channel may not know of.
 */
export function digestTitle(
  { title, question: typed }: { readonly title: string | null; readonly question: string },
  question: Question,
  { kind }: DigestPlace,
): string {
  if (title !== null) return shorten(title, LENGTH);
  const queries = kind === 'owner' ? [] : selectionsOf(question).flatMap(queryIn);
  return shorten(
    queries.reduce((told, query) => titleWithoutQuery(told, query, 'of a filter'), typed),
    LENGTH,
  );
}

function selectionsOf(question: Question): readonly Selection[] {
  switch (question.kind) {
    case 'report':
      return [question.request.selection];
    case 'weekly':
    case 'aging':
      return [question.selection];
    case 'compare':
      return question.sides.map(({ selection }) => selection);
    case 'issue':
    case 'mine':
    case 'saved':
      return [];
  }
}

function queryIn(selection: Selection): readonly string[] {
  return selection.by === 'jql' ? [selection.jql] : [];
}
