import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import {
  emptyPage,
  type FailedIssue,
  type IssuePage,
  type IssueSearch,
  type SearchWindow,
} from '../live-tracker.ts';
import type { LinearClient } from './linear-client.ts';
import type { NamesFor } from './linear-lists.ts';
import {
  connectionOf,
  HISTORY_FIELDS,
  type HistoryEntry,
  historyEntry,
  ISSUE_FIELDS,
  instant,
  issueShape,
  type LinearIssue,
  PAGE_INFO,
} from './linear-schema.ts';
import { foundLinear, namelessIn, readLinearIssue, type WholeLinearIssue } from './read-linear-issue.ts';

/**
 * Whole issues on a page, and entries of each history on it: Linear counts what a page could hold, 10,000 points at most,
 * and most histories are short. Longer ones are read on by themselves.
 */
const ISSUES = 50;
const FIRST_ENTRIES = 20;
const MORE_ENTRIES = 200;

/** Issues on a page that shows only which they are, and on one of those updated lately, which are few. */
const SURVEYED = 250;
const UPDATED = 50;

const CONCURRENCY = 4;

const ARGUMENTS = '$filter: IssueFilter, $sort: [IssueSortInput!], $after: String';
const WITHIN = 'filter: $filter, sort: $sort, after: $after, includeArchived: true';

const whole = `query Issues(${ARGUMENTS}) {
  issues(${WITHIN}, first: ${ISSUES}) {
    nodes { ${ISSUE_FIELDS} history(first: ${FIRST_ENTRIES}) { nodes { ${HISTORY_FIELDS} } ${PAGE_INFO} } }
    ${PAGE_INFO}
  }
}`;
const surveyed = `query Updates(${ARGUMENTS}, $first: Int) {
  issues(${WITHIN}, first: $first) {
    nodes { id identifier updatedAt trashed state { id } assignee { id } } ${PAGE_INFO}
  }
}`;
const keys = `query Keys(${ARGUMENTS}, $first: Int = ${SURVEYED}) {
  issues(${WITHIN}, first: $first) { nodes { id identifier trashed } ${PAGE_INFO} }
}`;
const history = `query History($id: String!, $after: String) {
  issue(id: $id) { history(first: ${MORE_ENTRIES}, after: $after) { nodes { ${HISTORY_FIELDS} } ${PAGE_INFO} } }
}`;

const issuesOf = <Node extends z.ZodType>(node: Node) => z.object({ issues: connectionOf(node) });
const trashed = z.boolean().nullable();
const wholeShape = issuesOf(issueShape);
const surveyedShape = issuesOf(
  z.object({
    id: z.string(),
    identifier: z.string(),
    updatedAt: instant,
    trashed,
    state: z.object({ id: z.string() }),
    assignee: z.object({ id: z.string() }).nullable(),
  }),
);
const keysShape = issuesOf(z.object({ id: z.string(), identifier: z.string(), trashed }));
const historyShape = z.object({ issue: z.object({ history: connectionOf(historyEntry) }) });

/**
 * Answers searches for issues. Archived issues are issues like others, for Linear archives whatever was finished some
 * months ago; one in the trash is gone.
 */
export function createLinearIssues(
  client: LinearClient,
  namesFor: NamesFor,
): (wanted: IssueSearch) => Promise<IssuePage> {
  async function load(variables: Record<string, unknown>): Promise<IssuePage> {
    const { nodes, failed, next, readAt } = await readPage(client, variables);
    const there = nodes.filter((issue) => issue.trashed !== true);
    const wholes = await mapLimited(CONCURRENCY, there, (issue) => withHistory(client, issue));
    const names = await namesFor(readAt, (known) => namelessIn(wholes, known));
    const parents = await parentKeys(client, wholes);
    return {
      ...emptyPage,
      entries: wholes.flatMap((one) => readLinearIssue(one, { names, parents })),
      found: there.map((issue) => ({ ...foundLinear(issue), created: issue.createdAt })),
      failed,
      next,
    };
  }

  async function loadIds(ids: readonly string[]): Promise<IssuePage> {
    const pages = await Promise.all(
      chunksOf(ids, ISSUES).map((some) => load({ filter: { id: { in: some } } })),
    );
    const found = pages.flatMap((page) => page.found);
    const failed = pages.flatMap((page) => page.failed);
    const known = new Set([...found, ...failed].map(({ id }) => id));
    return {
      ...emptyPage,
      entries: pages.flatMap(({ entries }) => entries),
      found,
      failed,
      missing: ids.filter((id) => !known.has(id)),
    };
  }

  async function search(window: SearchWindow, place: string | null, detail: 'updated' | 'keys') {
    const variables = { ...windowOf(window), after: place };
    if (detail === 'keys') {
      const { data } = await client.ask({ query: keys, variables }, keysShape);
      const found = data.issues.nodes
        .filter((one) => one.trashed !== true)
        .map(({ id, identifier }) => ({ id, key: identifier.toUpperCase(), updated: null }));
      return { ...emptyPage, found, next: nextOf(data.issues) };
    }
    const { data } = await client.ask(
      { query: surveyed, variables: { ...variables, first: window.by === 'updated' ? UPDATED : SURVEYED } },
      surveyedShape,
    );
    const found = data.issues.nodes
      // Issues that went into the trash lately are loaded by id, and so found missing.
      .filter((one) => one.trashed !== true || window.by === 'updated')
      .map((one) => ({ ...foundLinear(one), status: one.state.id, assignee: one.assignee?.id ?? null }));
    return { ...emptyPage, found, next: nextOf(data.issues) };
  }

  return async (wanted) => {
    if ('window' in wanted) {
      const { window, place, detail } = wanted;
      return detail === 'whole' ? load({ ...windowOf(window), after: place }) : search(window, place, detail);
    }
    const { ids, detail } = wanted;
    if (detail === 'whole') return loadIds(ids);
    const there = new Set<string>();
    for (const some of chunksOf(ids, SURVEYED)) {
      const variables = { filter: { id: { in: some } } };
      const { data } = await client.ask({ query: keys, variables }, keysShape);
      for (const one of data.issues.nodes) if (one.trashed !== true) there.add(one.id);
    }
    return { ...emptyPage, missing: ids.filter((id) => !there.has(id)) };
  };
}

function windowOf({ by, from }: SearchWindow): Record<string, unknown> {
  const field = by === 'created' ? 'createdAt' : 'updatedAt';
  return {
    sort: [{ [field]: { order: 'Ascending' } }],
    ...(from === null ? {} : { filter: { [field]: { gte: new Date(from).toISOString() } } }),
  };
}

function nextOf({ pageInfo }: { readonly pageInfo: { hasNextPage: boolean; endCursor: string | null } }) {
  return pageInfo.hasNextPage ? pageInfo.endCursor : null;
}

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** Issues with the first page of their histories, and when they were read; those that `failed` cannot be shown. */
interface ReadPage {
  readonly nodes: readonly LinearIssue[];
  readonly failed: readonly FailedIssue[];
  readonly next: string | null;
  readonly readAt: Instant;
}

/** Reads a page. Where Linear fails to show all of it together, its issues are read one by one: one may be broken. */
async function readPage(client: LinearClient, variables: Record<string, unknown>): Promise<ReadPage> {
  const read = async (some: Record<string, unknown>): Promise<ReadPage> => {
    const { data, http } = await client.ask({ query: whole, variables: some }, wholeShape);
    return { nodes: data.issues.nodes, failed: [], next: nextOf(data.issues), readAt: http.askedAt };
  };
  try {
    return await read(variables);
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
  const { data, http } = await client.ask(
    { query: keys, variables: { ...variables, first: ISSUES } },
    keysShape,
  );
  const pages = await mapLimited(CONCURRENCY, data.issues.nodes, async ({ id, identifier }) => {
    try {
      return await read({ filter: { id: { in: [id] } } });
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { nodes: [], failed: [{ id, key: identifier.toUpperCase(), reason: error.message }] };
    }
  });
  return {
    nodes: pages.flatMap(({ nodes }) => nodes),
    failed: pages.flatMap(({ failed }) => failed),
    next: nextOf(data.issues),
    readAt: http.askedAt,
  };
}

function isFailure(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === 'tracker-unavailable';
}

/** Failures that every other request ends with as well. */
const stopsAll: ReadonlySet<string> = new Set(['credentials-refused', 'stopping']);

/** Reads the rest of a history. Where that fails for this issue alone, the history is cut, with the reason. */
async function withHistory(client: LinearClient, issue: LinearIssue): Promise<WholeLinearIssue> {
  const entries: HistoryEntry[] = [...issue.history.nodes];
  let { hasNextPage, endCursor: after } = issue.history.pageInfo;
  while (hasNextPage) {
    try {
      const { data } = await client.ask({ query: history, variables: { id: issue.id, after } }, historyShape);
      const { nodes, pageInfo } = data.issue.history;
      entries.push(...nodes);
      ({ hasNextPage, endCursor: after } = pageInfo);
    } catch (error) {
      if (!(error instanceof AppError) || stopsAll.has(error.reason)) throw error;
      const reason = `Linear does not show its older history: ${error.message}`;
      return { issue, entries, cut: { reason, isFinal: error.code !== 'unavailable' } };
    }
  }
  return { issue, entries, cut: null };
}

/** Reads the identifiers of the parents that histories name by id. */
async function parentKeys(
  client: LinearClient,
  wholes: readonly WholeLinearIssue[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Map(
    wholes.flatMap(({ issue: { parent } }) => (parent ? [[parent.id, parent.identifier]] : [])),
  );
  const ids = new Set(
    wholes.flatMap(({ entries }) => entries.flatMap((one) => [one.fromParentId, one.toParentId])),
  );
  const unknown = [...ids].filter((id) => id !== null && !known.has(id));
  for (const some of chunksOf(unknown, SURVEYED)) {
    const variables = { filter: { id: { in: some } } };
    const { data } = await client.ask({ query: keys, variables }, keysShape);
    for (const { id, identifier } of data.issues.nodes) known.set(id, identifier);
  }
  return known;
}
