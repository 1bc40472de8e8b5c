import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { WatchInput } from '../../model/watch.ts';
import { onlyMeant, unknownWord } from '../../questions/parse/names-meant.ts';

/** The status of a name or of the one name that holds it, whatever its case; what is none, or of the category Done, is a `bad-request`. */
export function readStatus(typed: string, statuses: readonly Status[]): WatchInput['status'] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '')
    throw badRequestAs('missing-value', `Which status? Try: ${namesOf(statuses).join(', ')}.`);
  const named = statuses.filter((one) => one.name.toLowerCase() === wanted);
  const [found] = named.toSorted((a, b) => Number(a.deleted) - Number(b.deleted));
  if (found === undefined) {
    const meant = onlyMeant(wanted, namesOf(statuses));
    if (meant === null) throw unknownWord('The status', typed.trim(), namesOf(statuses));
    return readStatus(meant, statuses);
  }
  if (named.some(({ category }) => category !== 'Done')) return { id: found.id, name: found.name };
  throw badRequest(
    `The status '${found.name}' is of the category Done, where nothing waits any more. Try: ${namesOf(statuses).join(', ')}.`,
  );
}

/** Names of the statuses in which something can sit, each once, in order. */
export function namesOf(statuses: readonly Status[]): readonly string[] {
  const open = statuses.filter(({ category, deleted }) => category !== 'Done' && !deleted);
  return [...new Set(open.map(({ name }) => name))].sort((a, b) => a.localeCompare(b, 'en'));
}
