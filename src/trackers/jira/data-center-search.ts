import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import type { SearchPlace } from '../live-tracker.ts';
import { askByIds, askOneByOne, createPageSize, type Portion } from './issues-by-id.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import {
  bareIssue,
  type Extent,
  fieldsOf,
  type IssueQuery,
  type JiraSearch,
  type JsonIssues,
  type JsonPage,
  searchStuckAt,
  unshownIssue,
  wholeIssue,
} from './jira-search.ts';
import { type IssueJson, identified, listedIssues, nameless } from './listed-issues.ts';

const WHOLE_PAGE = 200;
const SURVEY_PAGE = 1000;
const ID_PAGE = 100;

const page = z.object({ startAt: z.number(), total: z.number(), issues: listedIssues });

/** Finds issues in Jira Data Center, which counts pages from the first issue, so that they shift when issues come or go. */
export function createDataCenterSearch(client: JiraClient): JiraSearch {
  const portions = { whole: createPageSize(WHOLE_PAGE), survey: createPageSize(SURVEY_PAGE) };
  const idPortions = createPageSize(ID_PAGE);

  async function pageAt(
    place: DataCenterPlace,
    { query, extent, size, tries }: Portion & { readonly query: IssueQuery; readonly extent: Extent },
  ): Promise<JsonPage> {
    const body = {
      jql: await query.jqlFrom(place.from),
      startAt: place.startAt,
      // The first one of a later page is known already.
      maxResults: place.id === null ? size : Math.max(2, size),
      fields: [...fieldsOf(extent), query.by],
      ...(extent === 'whole' ? { expand: ['changelog'] } : {}),
    };
    const answer = await client.ask({ method: 'POST', path: '/search', body, tries }, page);
    return place.id === null ? pageFrom(place, query, answer) : pageBehind(place, query, answer);
  }

  /** The place behind the next issue, of which Jira shows no more than id and key. */
  async function passBy(place: DataCenterPlace, query: IssueQuery, failure: JiraOverload): Promise<JsonPage> {
    const known = place.id === null ? 0 : 1;
    const body = {
      jql: await query.jqlFrom(place.from),
      startAt: place.startAt,
      maxResults: known + 1,
      fields: bareIssue,
    };
    const answer = await client
      .ask({ method: 'POST', path: '/search', body }, page)
      .catch((error: unknown) => {
        throw error instanceof JiraOverload ? searchStuckAt(error, place.id) : error;
      });
    const issues = identified(answer.issues);
    if (place.id !== null) assertNotShifted(issues[0], place);
    const end = answer.startAt + answer.issues.length;
    return {
      issues: [],
      nameless: nameless(answer.issues),
      failed: issues.slice(known).map((one) => unshownIssue(one, failure.message)),
      next:
        answer.issues.length <= known || end >= answer.total
          ? null
          : dataCenterPlaceText({ ...start, from: place.from, startAt: end }),
    };
  }

  const among = (ids: readonly string[]) => `id in (${ids.join(', ')}) ORDER BY created ASC, key ASC`;

  async function fetch(ids: readonly string[], tries: Portion['tries']): Promise<JsonIssues> {
    const body = {
      jql: among(ids),
      maxResults: ids.length,
      fields: wholeIssue,
      expand: ['changelog'],
      validateQuery: false,
    };
    const listed: z.output<typeof listedIssues> = [];
    try {
      for (;;) {
        const rest = { ...body, startAt: listed.length };
        const answer = await client.ask({ method: 'POST', path: '/search', body: rest, tries }, page);
        listed.push(...answer.issues);
        if (answer.issues.length === 0 || listed.length >= answer.total) break;
      }
    } catch (error) {
      if (!(error instanceof JiraRefusal) || error.status !== 400) throw error;
      // Some versions refuse the whole question for one issue that is gone.
      return askOneByOne(client, ids);
    }
    const issues = identified(listed);
    if (nameless(listed).length === 0) return { issues, failed: [] };
    // Any missing one may be the one without an identity.
    const known = new Set(issues.map(({ id }) => id));
    const others = await askOneByOne(
      client,
      ids.filter((id) => !known.has(id)),
    );
    return { issues: [...issues, ...others.issues], failed: others.failed };
  }

  return {
    async page(query, text, extent) {
      const place = text === null ? start : readDataCenterPlace(text);
      const anew = begunAnew(place);
      const [asked, most] =
        extent === 'whole' ? [portions.whole, WHOLE_PAGE] : [portions.survey, SURVEY_PAGE];
      try {
        return await asked(most, async ({ size }) => {
          // A single failing issue can be skipped.
          const portion = { query, extent, size, tries: 'few' } as const;
          try {
            return await pageAt(place, portion);
          } catch (error) {
            if (anew === null || size > 1 || !(error instanceof JiraOverload)) throw error;
            // It may be no more than too far from the beginning.
            const found = await pageAt(anew, portion);
            const known = found.issues.findIndex(({ id }) => id === place.id);
            return { ...found, issues: found.issues.slice(known + 1) };
          }
        });
      } catch (error) {
        if (!(error instanceof JiraOverload)) throw error;
        return passBy(place, query, error);
      }
    },
    async count(jql) {
      try {
        const body = { jql, maxResults: 0, fields: ['updated'] };
        return (await client.ask({ method: 'POST', path: '/search', body }, page)).total;
      } catch (error) {
        if (error instanceof JiraRefusal) return null;
        throw error;
      }
    },
    byIds: (ids) =>
      askByIds(ids, {
        portions: idPortions,
        ask: fetch,
        async askBare(some) {
          const body = { jql: among(some), maxResults: some.length, fields: bareIssue, validateQuery: false };
          await client.ask({ method: 'POST', path: '/search', body }, page);
        },
      }),
  };
}

function pageFrom(
  { from }: DataCenterPlace,
  { by }: IssueQuery,
  { startAt, total, issues: listed }: z.output<typeof page>,
): JsonPage {
  const issues = identified(listed);
  const found = { issues, nameless: nameless(listed), failed: [] };
  const end = startAt + listed.length;
  if (listed.length === 0 || end >= total) return { ...found, next: null };
  const last = issues.at(-1);
  if (last === undefined) return { ...found, next: dataCenterPlaceText({ ...start, from, startAt: end }) };
  const lastAt = startAt + listed.lastIndexOf(last);
  const next = { from, startAt: lastAt, id: last.id, at: parseInstant(last.fields[by]) };
  return { ...found, next: dataCenterPlaceText(nearEnough(next)) };
}

function pageBehind(place: DataCenterPlace, query: IssueQuery, answer: z.output<typeof page>): JsonPage {
  const [first, ...others] = answer.issues;
  assertNotShifted(first, place);
  const { issues, nameless: unnamed, failed, next } = pageFrom(place, query, answer);
  const news: readonly IssueJson[] = issues.slice(1);
  if (news.length > 0 || next === null) return { issues: news, nameless: unnamed, failed, next };
  // A page of nothing but the issue it had to begin with leads nowhere, one of others goes on behind them.
  const end = answer.startAt + answer.issues.length;
  const behind =
    others.length === 0 ? null : dataCenterPlaceText({ ...start, from: place.from, startAt: end });
  return { issues: news, nameless: unnamed, failed, next: behind };
}

function assertNotShifted(first: { readonly id: string | null } | undefined, { id }: DataCenterPlace): void {
  if (first?.id === id) return;
  throw badRequest(`Jira's search has shifted: issue ${first?.id ?? '(none)'} is where issue ${id} was.`);
}

/** Versions with another search engine refuse whatever lies behind the first 10,000 issues of a search. */
const LAST_START = 9_000;

/** The place in a search of Data Center: its pages are counted from the first issue, so they shift. */
export interface DataCenterPlace {
  /** The instant of the first issue, where the search has begun anew on its way; null: it has not. */
  readonly from: Instant | null;
  readonly startAt: number;
  /** The last issue so far, with which the page begins; null at the start of the search. */
  readonly id: string | null;
  /** The instant of that issue by which the search is ordered, as far as it is known. */
  readonly at: Instant | null;
}

/** The start of a search. */
const start: DataCenterPlace = { from: null, startAt: 0, id: null, at: null };

/** The place itself, or where the search begins anew instead because too much lies before it. */
export function nearEnough(place: DataCenterPlace): DataCenterPlace {
  return place.startAt > LAST_START ? (begunAnew(place) ?? place) : place;
}

/** The search of what is not older than the last issue; null where that is no less than before. */
export function begunAnew({ from, at }: DataCenterPlace): DataCenterPlace | null {
  if (at === null) return null;
  const minute = Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
  return from !== null && minute <= from ? null : { ...start, from: minute };
}

/** A place as an opaque text. */
export function dataCenterPlaceText({ from, startAt, id, at }: DataCenterPlace): SearchPlace {
  return [from ?? '-', startAt, id ?? '-', at ?? '-'].join(' ');
}

/** The place again; a text that is none is `bad-request`. */
export function readDataCenterPlace(text: SearchPlace): DataCenterPlace {
  const [, from, startAt, id, at] = /^(-?\d+|-) (\d+) (\d+|-) (-?\d+|-)$/.exec(text) ?? [];
  if (startAt === undefined) throw badRequest(`'${text}' is not a position of a search.`);
  return {
    from: instantIn(from),
    startAt: Number(startAt),
    id: id === '-' ? null : (id ?? null),
    at: instantIn(at),
  };
}

function instantIn(text = '-'): Instant | null {
  return text === '-' ? null : Number(text);
}
