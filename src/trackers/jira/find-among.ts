import type { SearchPlace } from '../live-tracker.ts';
import { JiraRefusal } from './jira-failures.ts';
import type { JiraSearch, Query } from './search.ts';
import { amongJql, wishedJql } from './window-jql.ts';

const AT_ONCE = 100;

/** Issues to be searched together. `left`: what a refusal named among them before, and was not asked for again. */
interface Chunk {
  readonly ids: readonly string[];
  readonly left: readonly string[];
}

/** The ids of those that are wished for and that a search finds. */
export async function findAmong(
  search: JiraSearch,
  ids: readonly string[],
  wish: string | null,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let isRefused = false;
  const open: Chunk[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    open.push({ ids: ids.slice(start, start + AT_ONCE), left: [] });
  }
  for (let asked = open.pop(); asked !== undefined; asked = open.pop()) {
    try {
      for await (const id of idsOf(search, queryOf(amongJql(asked.ids, wish)))) found.add(id);
    } catch (error) {
      // Jira refuses the whole question for one issue that is gone or archived.
      if (!(error instanceof JiraRefusal) || error.status !== 400) throw error;
      isRefused = true;
      open.push(...parted(asked, error.messages));
    }
  }
  // Perhaps it is the wish itself that Jira does not take any more, and then nobody knows what is gone.
  if (isRefused && found.size === 0) await search.page(queryOf(wishedJql(wish)), null, 'keys');
  return found;
}

/** What is still to be asked after a refusal: all but the issues it names, or both halves where it names none. */
function parted({ ids, left }: Chunk, sentences: readonly string[]): Chunk[] {
  const numbers = new Set(sentences.flatMap((sentence) => sentence.match(/\d+/g) ?? []));
  const isNamed = (id: string) => numbers.has(id);
  // A number that is named once more without its issue means something else.
  const wronged = left.filter(isNamed);
  const named = ids.filter(isNamed);
  const others = ids.filter((id) => !isNamed(id));
  const middle = ids.length >> 1;
  const rest =
    named.length > 0
      ? [{ ids: others, left: named }]
      : [ids.slice(0, middle), middle === 0 ? [] : ids.slice(middle)].map((half) => ({
          ids: half,
          left: [],
        }));
  return [{ ids: wronged, left: [] }, ...rest].filter((chunk) => chunk.ids.length > 0);
}

async function* idsOf(search: JiraSearch, query: Query): AsyncGenerator<string> {
  let place: SearchPlace | null = null;
  do {
    const page = await search.page(query, place, 'keys');
    for (const { id } of [...page.issues, ...page.failed]) yield id;
    place = page.next;
  } while (place !== null);
}

function queryOf(jql: string): Query {
  return { by: 'created', jqlFrom: async () => jql };
}
