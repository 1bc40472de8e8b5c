import { type AppError, sentencesOf } from '../../model/error.ts';
import type { Selection } from '../../model/request.ts';
import { asLiteral } from '../../questions/parse/typed-words.ts';

/** How this door calls what the reporting port names as programs do. */
const words: ReadonlyMap<string, string> = new Map([
  ['customjql', 'JQL'],
  ['projectKey', 'project'],
  ['jqlFilterID', 'filter'],
  ['sprintID', 'sprint'],
  ['columnsBy', 'The report'],
  ['groupByFields', 'The field'],
  ['issueKey', 'The issue'],
]);

/** What a refusal says in the words of a command; `selection` is what was read of the words that it is about. */
export function typedSentences(error: AppError, selection: Selection | null = null): readonly string[] {
  const { kind, value, allowed } = error.data;
  // What was typed is a name, and only the port asks for it by a query.
  if (selection?.by === 'jql' && kind !== undefined && value !== undefined && allowed !== undefined) {
    const isAllOfIt = selection.jql === `${kind} = ${asLiteral(String(value))}`;
    if (isAllOfIt) return [`I know no ${kind} '${value}'. Try: ${allowed}.`];
  }
  if (error.parts.length === 0) return sentencesOf(error);
  return error.parts.map((part) =>
    typeof part === 'string' ? part : `${words.get(part.field) ?? part.field}${part.problem}`,
  );
}
