import type { Selection } from '../../model/request.ts';
import { inPlainWords } from './in-plain-words.ts';

/** What only a filter by name becomes. */
const byName = /^(sprint|filter|assignee) = "((?:\\.|[^"\\])*)"$/s;

/** A refusal's sentence of the reporting port with the words that were typed for it. */
export function inTypedWords(sentence: string, selection: Selection | null = null): string {
  const [, kind, name] = (selection?.by === 'jql' && byName.exec(selection.jql)) || [];
  const plain = inPlainWords(sentence)
    .replace(/^columnsBy '/, "The report '")
    .replace(/^groupByFields '/, "The field '")
    .replace(/^issueKey '/, "The issue '");
  const allowed = plain.lastIndexOf('; allowed: ');
  return kind === undefined || name === undefined || allowed < 0
    ? plain
    : `I know no ${kind} '${name.replaceAll(/\\(.)/g, '$1')}'${plain.slice(allowed)}`;
}
