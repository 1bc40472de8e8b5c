import {
  asked,
  fine,
  type JiraAnswer,
  type JiraAsked,
  type JiraRoute,
  noIssue,
  numberIn,
  refused,
  textsIn,
} from './stand-in-jira-answer.ts';
import { type JiraManners, Untellable } from './stand-in-jira-manners.ts';
import type { JiraTeller } from './stand-in-jira-told.ts';
import type { JiraWorld } from './stand-in-jira-world.ts';

/** Issues asked for by id or key, and their changelogs. */
export function issueRoutes(
  world: JiraWorld,
  manners: JiraManners,
  teller: JiraTeller,
): readonly JiraRoute[] {
  const { json, mode } = world;

  function seen(idOrKey: string): number | null {
    const number = world.numberOf(idOrKey);
    return number === null || manners.withheld.has(world.standing(number).project.key) ? null : number;
  }

  function one({ query }: JiraAsked, id: string): JiraAnswer {
    const number = seen(id);
    if (number === null) return noIssue();
    const fields = query.has('fields') ? textsIn(query.get('fields')) : ['*all'];
    const changelog = textsIn(query.get('expand') ?? '').includes('changelog');
    return fine(teller.issue(number, fields, changelog), 1);
  }

  function changelogOf({ query }: JiraAsked, id: string): JiraAnswer {
    const number = seen(id);
    if (mode === 'dataCenter' && !manners.ownChangelog) return refused(404, 'null for uri');
    if (number === null) return noIssue();
    const { id: known, entries, zone } = world.issue(number);
    const how = manners.untellable.get(known);
    if (how !== undefined) throw new Untellable(how);
    const startAt = numberIn(query.get('startAt') ?? 0, 0);
    const maxResults = Math.min(numberIn(query.get('maxResults') ?? 100, 100), 100);
    const values = entries.slice(startAt, startAt + maxResults).map((entry) => json.entryOf(entry, zone));
    const isLast = startAt + values.length >= entries.length;
    return fine({ startAt, maxResults, total: entries.length, isLast, values }, values.length);
  }

  function bulkIssues({ body }: JiraAsked): JiraAnswer {
    const ids = textsIn(body.issueIdsOrKeys);
    if (ids.length === 0 || ids.length > 100) return refused(400, 'Between 1 and 100 issues can be fetched.');
    const fields = body.fields === undefined ? ['*navigable'] : textsIn(body.fields);
    const changelog = textsIn(body.expand).includes('changelog');
    const numbers = [...new Set(ids.flatMap((id) => seen(id) ?? []))];
    const issues = numbers.map((number) => teller.issue(number, fields, changelog));
    // Nothing is said of issues that are not there.
    return fine({ issues, issueErrors: [] }, issues.length);
  }

  /** A page holds so many entries, wherever in an issue that is. */
  function bulkChangelogs({ body }: JiraAsked): JiraAnswer {
    const ids = textsIn(body.issueIdsOrKeys);
    if (ids.length === 0 || ids.length > 1000)
      return refused(400, 'Between 1 and 1000 issues can be fetched.');
    const maxResults = numberIn(body.maxResults, 1000);
    if (maxResults < 1 || maxResults > 10_000) return refused(400, 'maxResults must be from 1 to 10000.');
    const about = JSON.stringify(ids);
    const from = body.nextPageToken === undefined ? [0, 0] : placeOf(body.nextPageToken, about);
    if (from === null) return refused(400, 'The provided next page token is invalid.');
    const [firstIssue = 0, firstEntry = 0] = from;
    const numbers = [...new Set(ids.flatMap((id) => seen(id) ?? []))].toSorted((a, b) => a - b);
    const issueChangeLogs: unknown[] = [];
    let room = maxResults;
    for (let i = firstIssue; i < numbers.length; i += 1) {
      const number = numbers[i] ?? 0;
      const { id, entries, zone } = world.issue(number);
      const how = manners.untellable.get(id);
      if (how !== undefined) throw new Untellable(how);
      const start = i === firstIssue ? firstEntry : 0;
      const told = entries.slice(start, start + room);
      const as = manners.bulkInstants === 'number' || number % 2 === 0 ? 'number' : 'text';
      const changeHistories = told.map((entry) => json.entryOf(entry, zone, as));
      if (told.length > 0) issueChangeLogs.push({ issueId: id, changeHistories });
      room -= told.length;
      const left = entries.length > start + told.length;
      if (room === 0 && (left || i < numbers.length - 1)) {
        const place = left ? [i, start + told.length] : [i + 1, 0];
        const nextPageToken = Buffer.from(JSON.stringify([...place, about])).toString('base64url');
        return fine({ issueChangeLogs, nextPageToken }, issueChangeLogs.length);
      }
    }
    return fine({ issueChangeLogs }, issueChangeLogs.length);
  }

  const route = (method: 'GET' | 'POST', path: string, answer: JiraRoute['answer']): JiraRoute => ({
    method,
    path,
    api: 'platform',
    answer,
  });
  return [
    route('GET', '/issue/:id', one),
    route('GET', '/issue/:id/changelog', changelogOf),
    ...(mode === 'cloud'
      ? [route('POST', '/issue/bulkfetch', bulkIssues), route('POST', '/changelog/bulkfetch', bulkChangelogs)]
      : []),
  ];
}

function placeOf(token: unknown, about: string): readonly number[] | null {
  if (typeof token !== 'string') return null;
  try {
    const told: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(told) && asked(told, '2') === about ? [Number(told[0]), Number(told[1])] : null;
  } catch {
    return null;
  }
}
