import { z } from 'zod';
import { idText } from '../jira-json/read-references.ts';
import type { JiraClient, JiraRequest } from './jira-client.ts';

const page = z.object({
  values: z.array(z.unknown()),
  isLast: z.boolean().nullish(),
  total: z.number().nullish(),
});
const plain = z.array(z.unknown());

type ListRequest = Pick<JiraRequest, 'path' | 'api' | 'query' | 'isPriority'>;

/** A part of a list, and the position at which the next one begins; null: it is the last. */
interface ListPart {
  readonly values: unknown[];
  readonly next: number | null;
}

/** The parts, from a position on, of a list that Jira hands out in pages that say which one is the last. */
export async function* askParts(
  client: JiraClient,
  request: ListRequest,
  { size, from }: { readonly size: number; readonly from: number },
): AsyncGenerator<ListPart> {
  for (let startAt = from; ; ) {
    const { values, isLast, total } = await client.ask(paged(request, startAt, size), page);
    startAt += values.length;
    const ended = isLast ?? (typeof total === 'number' ? startAt >= total : values.length < size);
    const isEnd = ended || values.length === 0;
    yield { values, next: isEnd ? null : startAt };
    if (isEnd) return;
  }
}

/** The pages of such a list. */
export async function* askPages(
  client: JiraClient,
  request: ListRequest,
  size: number,
): AsyncGenerator<unknown[]> {
  for await (const { values } of askParts(client, request, { size, from: 0 })) yield values;
}

/**
 * The parts, from a position on, of a list that Jira hands out in plain pieces. One may be shorter than asked for
 * because Jira leaves people out that our account may not see, or because it never hands out that many, so only an
 * empty one is the end, and the next one begins right behind what came.
 */
export async function* askPieces(
  client: JiraClient,
  request: ListRequest,
  { size, from }: { readonly size: number; readonly from: number },
): AsyncGenerator<ListPart> {
  for (let startAt = from; ; ) {
    const values = await client.ask(paged(request, startAt, size), plain);
    if (values.length === 0) return;
    startAt += values.length;
    yield { values, next: startAt };
  }
}

/** A list that Jira hands out as a whole. */
export function askList(client: JiraClient, request: ListRequest): Promise<unknown[]> {
  return client.ask({ method: 'GET', ...request }, plain);
}

function paged({ query = {}, ...request }: ListRequest, startAt: number, size: number): JiraRequest {
  const place = { startAt: String(startAt), maxResults: String(size) };
  return { method: 'GET', ...request, query: { ...query, ...place } };
}

/** Cloud takes a larger number for 50. */
const PAGE = 100;

const project = z.object({ id: idText, key: z.string() });

/** The id of every project that our account may browse, by its key in upper case. */
export async function askProjects(client: JiraClient): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const learn = (values: readonly unknown[]) => {
    for (const value of values) {
      const read = project.safeParse(value);
      if (read.success) ids.set(read.data.key.toUpperCase(), read.data.id);
    }
  };
  if ((await client.kind()) === 'dataCenter')
    learn(await askList(client, { path: '/project', isPriority: true }));
  else
    for await (const values of askPages(client, { path: '/project/search', isPriority: true }, PAGE))
      learn(values);
  return ids;
}
