import { badRequestAs } from '../../model/error.ts';
import type { ParserContext } from './parser-context.ts';
import { asLiteral } from './quotes.ts';
import { allowedFilters, type Filter, readFilter } from './read-filter.ts';
import type { Word } from './typed-words.ts';

/** The filter that was typed; without one the projects that are usual here, and the sentence that says so. */
export async function filterOrUsual(
  words: readonly Word[],
  asking: ParserContext,
): Promise<Omit<Filter, 'remark'> & { readonly remark: string | null }> {
  if (words.length > 0) {
    const filter = await readFilter(words, asking);
    return { ...filter, remark: filter.remark ?? null };
  }
  const usual = await asking.usualProjects();
  const [project, ...others] = usual?.projects ?? [];
  if (usual === null || project === undefined) {
    throw badRequestAs(
      'missing-value',
      `Which issues? Nothing tells what is usual here; allowed: ${allowedFilters}.`,
    );
  }
  const title = usual.projects.join(', ');
  if (others.length === 0) return { selection: { by: 'project', project }, title, remark: usual.remark };
  const jql = `project in (${usual.projects.map(asLiteral).join(', ')})`;
  return { selection: { by: 'jql', jql }, title, remark: usual.remark };
}
